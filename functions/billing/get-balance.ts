import { requireBilling } from '#lib/features/billing/customer/billing-customer.ts';
import { presentBalance } from '#lib/features/billing/ledger/present-balance.ts';
import { presentAutoRefill } from '#lib/features/billing/refills/auto-refill-settings.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getBalance } from '#schemas/billing.ts';

export const handler = endpoint(getBalance, async ({ organizationId }) => {
  const { balance } = await requireBilling(organizationId);

  return {
    balance: presentBalance(balance),
    autoRefill: presentAutoRefill(balance),
  };
});
