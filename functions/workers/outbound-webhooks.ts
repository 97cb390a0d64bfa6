import { deliverWebhook } from '#lib/platform/webhooks/deliver.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('webhook', deliverWebhook);
