import { presentBalance } from '#lib/features/billing/ledger/present-balance.ts';
import { presentEntry } from '#lib/features/billing/usage/list-entries.ts';
import { adjustCredits, requireBalance } from '#lib/features/operators/adjust-credits.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { adjustPlatformCredits } from '#schemas/operators.ts';

export const handler = endpoint(adjustPlatformCredits, async ({ params, body, idempotently }) => {
  const organizationId = params.organization_id;
  const entry = await idempotently((extraWrites) =>
    adjustCredits(organizationId, body, extraWrites),
  );

  return {
    transaction: presentEntry(entry),
    balance: presentBalance(await requireBalance(organizationId)),
  };
});
