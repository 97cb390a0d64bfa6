import { requireBillingAccount } from '#lib/billing/billing-account.ts';
import { compareUsage } from '#lib/billing/usage.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getUsage } from '#schemas/billing.ts';

export const handler = endpoint(getUsage, async ({ organizationId }) => {
  const [usage] = await Promise.all([
    compareUsage(organizationId),
    requireBillingAccount(organizationId),
  ]);

  return { usage, message: 'Usage retrieved successfully' };
});
