import {
  presentSubscription,
  requireSubscription,
} from '#lib/features/billing/subscriptions/subscription-record.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getSubscription } from '#schemas/billing-subscription.ts';

export const handler = endpoint(getSubscription, async ({ organizationId }) => ({
  subscription: presentSubscription(await requireSubscription(organizationId)),
}));
