import { dayMs, epochSeconds, secondMs } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { query } from '#lib/platform/db/read.ts';
import { create, type Write } from '#lib/platform/db/write.ts';
import { quotaExceeded, quotaLimit } from '#lib/platform/quotas/quotas.ts';

/** An import that can't be finished is given up after a day. Its slot is then free again. */
const maxHoldSeconds = (2 * dayMs) / secondMs;

/**
 * Returns the number of a slot that no running import holds.
 *
 * @throws 409 if all slots are taken.
 */
export async function findFreeSlot(organizationId: string): Promise<number> {
  const taken = await query<Key>(leadRanges.leadImportSlots(organizationId));
  const takenKeys = new Set(taken.map(({ sk }) => sk));
  const slot = Array.from({ length: quotaLimit('imports') }, (_, index) => index).find(
    (index) => !takenKeys.has(leadKeys.leadImportSlot(organizationId, index).sk),
  );
  if (slot === undefined) {
    throw quotaExceeded('imports');
  }

  return slot;
}

/**
 * Takes a slot until the import is finished. Fails with ConditionNotMetError if it was just taken.
 */
export function planSlot(organizationId: string, slot: number): Write {
  return create(leadKeys.leadImportSlot(organizationId, slot), {
    expiresAtSeconds: epochSeconds(maxHoldSeconds),
  });
}
