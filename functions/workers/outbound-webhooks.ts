import { deliverWebhook } from '#lib/platform/webhooks/deliver.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { webhookWork } from '#schemas/work-payloads.ts';

export const handler = worker('webhook', webhookWork, deliverWebhook);
