import { setUpBilling } from '#lib/features/billing/customer/set-up-billing.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing.ts';

export const handler = endpoint(contracts.setUpBilling, async (request) => {
  const { organizationId, caller, body, intent, idempotently } = request;
  const { customerId } = await idempotently((extraWrites) =>
    setUpBilling(organizationId, caller.userId, intent, body, extraWrites),
  );

  return {
    stripeCustomerId: customerId,
    billingEmail: body.email,
    organizationId,
  };
});
