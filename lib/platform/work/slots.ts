import { dayMs, epochSeconds, secondMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError, type StoredItem } from '#lib/platform/db/failures.ts';
import { type Key, tenantOf } from '#lib/platform/db/keys/key.ts';
import { systemKeys } from '#lib/platform/db/keys/system.ts';
import { change, remove, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  isLongWork,
  maxConcurrencyOf,
  scaledConcurrency,
  type WorkerDefinition,
} from '#schemas/contract.ts';
import { type WorkKind, workerDefinitions } from '#schemas/messages.ts';

/** A lease on one of an organization's slots on a worker. */
export type Slot = {
  readonly renew: (until: string) => Promise<void>;
  readonly release: () => Promise<void>;
};

const unlimited: Slot = { renew: async () => {}, release: async () => {} };

/** Longer than any lease. It removes slots that crashed workers left behind. */
const keptSeconds = dayMs / secondMs;

/** Returns a fifth of a worker's concurrency, at least one. `undefined` if the work is short. */
export function slotsOf(kind: WorkKind): number | undefined {
  const definition: WorkerDefinition = workerDefinitions[kind];
  const most = scaledConcurrency(maxConcurrencyOf(definition), config.workerConcurrencyPercent);

  return isLongWork(definition) ? Math.max(1, Math.floor(most / 5)) : undefined;
}

/**
 * Takes one of the slots of the organization that owns the work. The slot of a crashed worker
 * becomes free when its lease ends.
 *
 * @returns undefined if all slots are taken.
 */
export async function takeSlot(
  kind: WorkKind,
  work: Key,
  until: string,
): Promise<Slot | undefined> {
  const count = slotsOf(kind);
  const organizationId = tenantOf(work);
  if (count === undefined || organizationId === undefined) {
    return unlimited;
  }
  const key = systemKeys.workSlots(organizationId, kind);
  const names = Array.from({ length: count }, (_, index) => `slot${index}`);
  let candidates = names;
  while (candidates.length > 0) {
    const name = candidates[Math.floor(Math.random() * candidates.length)] ?? '';
    const lease = `${until}#${newId()}`;
    const stored = await tryToTake(key, name, lease);
    if (stored === 'taken') {
      return leased(key, name, lease, names);
    }
    candidates = names.filter((one) => one !== name && isFree(stored?.[one]));
  }

  return undefined;
}

/** Takes a slot. Returns the organization's leases if another worker holds the slot. */
async function tryToTake(
  key: Key,
  name: string,
  lease: string,
): Promise<StoredItem | 'taken' | undefined> {
  const set = { [name]: lease, expiresAtSeconds: epochSeconds(keptSeconds) };
  const when = either(absent(name), below(name, timestamp()));
  try {
    await write(change(key, { set, when, orCreate: true }));

    return 'taken';
  } catch (failure) {
    if (failure instanceof ConditionNotMetError) {
      return failure.stored;
    }
    throw failure;
  }
}

/** A lease value begins with the time when it ends. */
function isFree(lease: unknown): boolean {
  return lease === undefined || String(lease) < timestamp();
}

function leased(key: Key, name: string, lease: string, names: readonly string[]): Slot {
  let held = lease;
  const replace = (next: string | null) =>
    writeIfMet(change(key, { set: { [name]: next }, when: equals(name, held) }));

  return {
    renew: async (until) => {
      const next = `${until}#${newId()}`;
      if (await replace(next)) {
        held = next;
      }
    },
    release: async () => {
      const free = names.filter((one) => one !== name).map(absent);
      const isRemoved = await writeIfMet(remove(key, { when: allOf(equals(name, held), ...free) }));
      if (!isRemoved) {
        await replace(null);
      }
    },
  };
}
