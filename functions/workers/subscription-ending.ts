import { endSubscription } from '#lib/billing/end-subscription.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('subscriptionEnd', endSubscription);
