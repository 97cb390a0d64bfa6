import { fanOutEvent } from '#lib/platform/webhooks/fan-out.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { webhookFanOutWork } from '#schemas/work-payloads.ts';

export const handler = worker('webhookFanOut', webhookFanOutWork, fanOutEvent);
