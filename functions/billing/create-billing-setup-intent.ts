import { requireBillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createSetupIntent } from '#lib/vendors/stripe/customers.ts';
import { createBillingSetupIntent } from '#schemas/billing-subscription.ts';

export const handler = endpoint(createBillingSetupIntent, async ({ organizationId, intent }) => {
  const { customerId } = await requireBillingCustomer(organizationId);

  return { clientSecret: await createSetupIntent(intent.id, customerId) };
});
