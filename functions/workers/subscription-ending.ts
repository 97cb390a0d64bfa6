import { endSubscription } from '#lib/features/billing/subscriptions/end-subscription.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { subscriptionEndWork } from '#schemas/work-payloads.ts';

export const handler = worker('subscriptionEnd', subscriptionEndWork, endSubscription);
