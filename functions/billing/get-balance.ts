import { presentAutoRefill } from '#lib/billing/auto-refill-settings.ts';
import { requireBilling } from '#lib/billing/billing-account.ts';
import { currency } from '#lib/billing/money.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getBalance } from '#schemas/billing.ts';

export const handler = endpoint(getBalance, async ({ organizationId }) => {
  const { balance } = await requireBilling(organizationId);

  return {
    balance: { credits: balance.credits, currency, lastUpdated: balance.updatedAt },
    autoRefill: presentAutoRefill(balance),
    message: 'Balance retrieved successfully',
  };
});
