import { resumeSubscription } from '#lib/features/billing/subscriptions/change-subscription.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing-subscription.ts';

export const handler = endpoint(contracts.resumeSubscription, async (request) => {
  const { organizationId, caller, intent, idempotently } = request;
  await idempotently((extraWrites) =>
    resumeSubscription(organizationId, caller.userId, intent, extraWrites),
  );
});
