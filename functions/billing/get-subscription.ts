import { presentSubscription, requireSubscription } from '#lib/billing/subscription-record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getSubscription } from '#schemas/billing-subscription.ts';

export const handler = endpoint(getSubscription, async ({ organizationId }) => ({
  subscription: presentSubscription(await requireSubscription(organizationId)),
  message: 'Subscription retrieved successfully',
}));
