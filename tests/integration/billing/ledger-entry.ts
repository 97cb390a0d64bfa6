import { randomUUID } from 'node:crypto';
import { planCredit, planEntry } from '#lib/features/billing/ledger/ledger.ts';
import { write } from '#lib/platform/db/write.ts';
import { idOfEvent } from '#lib/platform/ids.ts';
import type { LedgerType } from '#schemas/billing.ts';
import type { Account } from '#tests/support/accounts.ts';

/** Stores a ledger entry with the given time. */
export async function addEntry(
  { organizationId }: Account,
  type: LedgerType,
  credits: number,
  at: string | number,
): Promise<string> {
  const id = idOfEvent(randomUUID(), new Date(at).getTime());
  const entry = { id, type, credits, description: `${type} of ${credits}` };
  await write(
    ...(credits > 0
      ? planCredit(organizationId, entry)
      : planEntry(organizationId, entry, { add: { available: credits } })),
  );

  return id;
}
