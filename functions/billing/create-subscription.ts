import { createSubscription } from '#lib/features/billing/subscriptions/create-subscription.ts';
import { presentPeriod } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(contracts.createSubscription, async (request) => {
  const { organizationId, caller, body, intent } = request;

  return {
    subscription: presentPeriod(
      await createSubscription(organizationId, caller.userId, intent, body),
    ),
  };
});
