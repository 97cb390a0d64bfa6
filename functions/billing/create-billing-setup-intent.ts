import { requireBillingAccount } from '#lib/billing/billing-account.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { createSetupIntent } from '#lib/payment/customers.ts';
import { createBillingSetupIntent } from '#schemas/billing-subscription.ts';

export const handler = endpoint(createBillingSetupIntent, async ({ organizationId, intent }) => {
  const { customerId } = await requireBillingAccount(organizationId);

  return {
    clientSecret: await createSetupIntent(intent.id, customerId),
    message: 'Setup intent created successfully',
  };
});
