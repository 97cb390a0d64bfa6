import { maintainSubscription } from '#lib/features/social/connection/webhook-subscription.ts';
import { worker } from '#lib/platform/work/worker.ts';
import { accountSubscriptionWork } from '#schemas/work-payloads.ts';

export const handler = worker('accountSubscription', accountSubscriptionWork, maintainSubscription);
