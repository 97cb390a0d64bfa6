import { deliverWebhook } from '#lib/webhooks/deliver.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('webhook', deliverWebhook);
