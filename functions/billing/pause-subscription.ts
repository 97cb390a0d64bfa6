import { pauseSubscription } from '#lib/features/billing/subscriptions/change-subscription.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(contracts.pauseSubscription, async (request) => {
  const { organizationId, caller, intent, idempotently } = request;
  await idempotently((extraWrites) =>
    pauseSubscription(organizationId, caller.userId, intent, extraWrites),
  );
});
