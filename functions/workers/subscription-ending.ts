import { endSubscription } from '#lib/features/billing/subscriptions/end-subscription.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('subscriptionEnd', endSubscription);
