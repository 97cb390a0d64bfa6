import { createSubscription } from '#lib/billing/create-subscription.ts';
import { presentPeriod } from '#lib/billing/subscription-record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(contracts.createSubscription, async (request) => {
  const { organizationId, caller, body, intent } = request;

  return {
    subscription: presentPeriod(
      await createSubscription(organizationId, caller.userId, intent, body),
    ),
    message: 'Subscription created successfully',
  };
});
