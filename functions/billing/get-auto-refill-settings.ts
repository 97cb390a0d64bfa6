import { requireBilling } from '#lib/features/billing/customer/billing-customer.ts';
import { presentAutoRefill } from '#lib/features/billing/refills/auto-refill-settings.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getAutoRefillSettings } from '#schemas/billing.ts';

export const handler = endpoint(getAutoRefillSettings, async ({ organizationId }) => {
  const { balance } = await requireBilling(organizationId);

  return { autoRefill: presentAutoRefill(balance) };
});
