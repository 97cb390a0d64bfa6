import { requireBillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { compareUsage } from '#lib/features/billing/usage/usage.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getUsage } from '#schemas/billing.ts';

export const handler = endpoint(getUsage, async ({ organizationId }) => {
  const [usage] = await Promise.all([
    compareUsage(organizationId),
    requireBillingAccount(organizationId),
  ]);

  return { usage };
});
