import { requireBillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { compareCreditsUsed } from '#lib/features/billing/usage/credits-used.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getUsage } from '#schemas/billing.ts';

export const handler = endpoint(getUsage, async ({ organizationId }) => {
  const [usage] = await Promise.all([
    compareCreditsUsed(organizationId),
    requireBillingCustomer(organizationId),
  ]);

  return { usage };
});
