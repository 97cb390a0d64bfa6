import { requireBilling } from '#lib/features/billing/account/billing-account.ts';
import { currency } from '#lib/features/billing/money.ts';
import { presentAutoRefill } from '#lib/features/billing/refills/auto-refill-settings.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getBalance } from '#schemas/billing.ts';

export const handler = endpoint(getBalance, async ({ organizationId }) => {
  const { balance } = await requireBilling(organizationId);

  return {
    balance: {
      credits: balance.credits,
      debt: balance.debt ?? 0,
      currency,
      lastUpdated: balance.updatedAt,
    },
    autoRefill: presentAutoRefill(balance),
  };
});
