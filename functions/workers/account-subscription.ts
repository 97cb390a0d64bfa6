import { settleSubscription } from '#lib/social/subscription.ts';
import { worker } from '#lib/work/worker.ts';

export const handler = worker('accountSubscription', settleSubscription);
