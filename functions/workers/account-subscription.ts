import { settleSubscription } from '#lib/features/social/connection/subscription.ts';
import { worker } from '#lib/platform/work/worker.ts';

export const handler = worker('accountSubscription', settleSubscription);
