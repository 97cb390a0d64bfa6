import { cancelSubscription } from '#lib/features/billing/subscriptions/change-subscription.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(
  contracts.cancelSubscription,
  async ({ organizationId, caller }) => {
    await cancelSubscription(organizationId, caller.userId);
  },
);
