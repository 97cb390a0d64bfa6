import { setUpBilling as makeAccount } from '#lib/billing/set-up-billing.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { setUpBilling } from '#schemas/billing.ts';

export const handler = endpoint(setUpBilling, async (request) => {
  const { organizationId, caller, body, intent, once } = request;
  const { customerId } = await once((alongside) =>
    makeAccount(organizationId, caller.userId, intent, body, alongside),
  );

  return {
    stripeCustomerId: customerId,
    billingEmail: body.email,
    organizationId,
    message: 'Billing setup completed successfully',
  };
});
