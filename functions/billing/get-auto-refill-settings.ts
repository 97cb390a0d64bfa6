import { presentAutoRefill } from '#lib/billing/auto-refill-settings.ts';
import { requireBilling } from '#lib/billing/billing-account.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getAutoRefillSettings } from '#schemas/billing.ts';

export const handler = endpoint(getAutoRefillSettings, async ({ organizationId }) => {
  const { balance } = await requireBilling(organizationId);

  return {
    autoRefill: presentAutoRefill(balance),
    message: 'Auto-refill settings retrieved successfully',
  };
});
