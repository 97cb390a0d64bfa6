import { setUpBilling } from '#lib/features/billing/account/set-up-billing.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/billing.ts';

export const handler = endpoint(contracts.setUpBilling, async (request) => {
  const { organizationId, caller, body, intent, once } = request;
  const { customerId } = await once((alongside) =>
    setUpBilling(organizationId, caller.userId, intent, body, alongside),
  );

  return {
    stripeCustomerId: customerId,
    billingEmail: body.email,
    organizationId,
  };
});
