import { checkLiveConnections } from '#lib/platform/live/check-connections.ts';
import { fanOutEvent } from '#lib/platform/webhooks/fan-out.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { webhookFanOutWork } from '#schemas/work-payloads.ts';

export const handler = worker('webhookFanOut', webhookFanOutWork, ({ key, payload }) =>
  'checks' in payload ? checkLiveConnections(payload.organizationId) : fanOutEvent(key, payload),
);
