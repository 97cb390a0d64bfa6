import { requireBillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createSetupIntent } from '#lib/vendors/stripe/customers.ts';
import { createBillingSetupIntent } from '#schemas/billing-subscription.ts';

export const handler = endpoint(createBillingSetupIntent, async ({ organizationId, intent }) => {
  const { customerId } = await requireBillingAccount(organizationId);

  return { clientSecret: await createSetupIntent(intent.id, customerId) };
});
