import { setUpBilling as makeAccount } from '#lib/billing/set-up-billing.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { setUpBilling } from '#schemas/billing.ts';

export const handler = endpoint(setUpBilling, async ({ organizationId, caller, body }) => {
  const { customerId } = await makeAccount(organizationId, caller.userId, body);

  return {
    stripeCustomerId: customerId,
    billingEmail: body.email,
    organizationId,
    message: 'Billing setup completed successfully',
  };
});
