import {
  minuteOf,
  planSlotHold,
  planSlotRelease,
} from '#lib/features/content/posts/post-minutes.ts';
import { dayMs, now } from '#lib/platform/clock.ts';
import { contentRanges, minuteOfKey } from '#lib/platform/db/keys/content.ts';

import { query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { readSlots } from './posting-slots.ts';
import { slotTimes } from './slot-times.ts';

const horizonDays = 366;
/** The number of taken minutes per read, about 75 KB. */
const minutesPerRead = 500;
/** With 100 slots a week and one post in each, a year needs eleven reads. */
const maxReads = 20;

/**
 * Runs `attempt` with the next free slot of each account. Holds the slots first, so that concurrent
 * requests get consecutive slots without gaps. `attempt` writes scheduled posts of the group with
 * `isInSlot: true` and these `scheduledAt` in one transaction. A slot is undefined if none is free
 * within a year. If `attempt` fails, the slots are released.
 */
export async function withNextSlots<T>(
  organizationId: string,
  groupId: string,
  accountIds: readonly string[],
  attempt: (scheduledAt: ReadonlyArray<string | undefined>) => Promise<T>,
): Promise<T> {
  const slots = await Promise.all(
    accountIds.map((accountId) => holdNextSlot(organizationId, accountId, groupId)),
  );
  try {
    return await attempt(slots);
  } catch (failure) {
    await Promise.all(
      slots.map((slot, index) => {
        const accountId = accountIds[index] ?? '';

        return slot && writeIfMet(planSlotRelease({ organizationId, accountId, slot, groupId }));
      }),
    );
    throw failure;
  }
}

function holdNextSlot(
  organizationId: string,
  accountId: string,
  groupId: string,
): Promise<string | undefined> {
  return retryWhenOvertaken('posting slots', async () => {
    const slot = await findNextSlot(organizationId, accountId, groupId);
    if (slot !== undefined) {
      await write(planSlotHold({ organizationId, accountId, slot, groupId }));
    }

    return slot;
  });
}

/**
 * Returns the time of an account's next slot without a post, in UTC, or undefined. Reads only the
 * account's own taken minutes up to that slot. Slots that the group holds count as free.
 */
export async function findNextSlot(
  organizationId: string,
  accountId: string,
  groupId?: string,
): Promise<string | undefined> {
  const after = now();
  const until = after + horizonDays * dayMs;
  const read = (fromMs: number) =>
    readTaken(organizationId, accountId, { fromMs, untilMs: until, groupId });
  const [{ timezone, slots }, first] = await Promise.all([readSlots(organizationId), read(after)]);
  const own = slots.filter(({ socialAccountId }) => (socialAccountId ?? accountId) === accountId);
  let taken = first;
  let reads = 1;
  for (const atMs of slotTimes(own, timezone, { after, until })) {
    const at = new Date(atMs).toISOString();
    if (minuteOf(at) > taken.knownUntil) {
      if (reads === maxReads) {
        return undefined;
      }
      taken = await read(atMs);
      reads += 1;
    }
    if (!taken.minutes.has(minuteOf(at))) {
      return at;
    }
  }

  return undefined;
}

type Taken = { readonly minutes: ReadonlySet<string>; readonly knownUntil: string };

type Period = {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly groupId: string | undefined;
};

async function readTaken(
  organizationId: string,
  accountId: string,
  { fromMs, untilMs, groupId }: Period,
): Promise<Taken> {
  const [from = '', to = ''] = [fromMs, untilMs].map((ms) => minuteOf(new Date(ms).toISOString()));
  const rows = await query<{ readonly heldBy?: string }>(
    contentRanges.postMinutes(organizationId, accountId, { from, to }),
    { limit: minutesPerRead, attributes: ['pk', 'sk', 'heldBy'] },
  );
  const taken = rows.filter(({ heldBy }) => heldBy === undefined || heldBy !== groupId);
  const last = rows.length < minutesPerRead ? undefined : rows.at(-1);

  return { minutes: new Set(taken.map(minuteOfKey)), knownUntil: last ? minuteOfKey(last) : to };
}
