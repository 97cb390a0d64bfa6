import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { minuteOf, SlotTakenError } from '#lib/features/content/posts/post-minutes.ts';
import { dayMs, now } from '#lib/platform/clock.ts';
import { backoffMs } from '#lib/platform/db/backoff.ts';
import { minuteOfKey } from '#lib/platform/db/keys/content.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { conflict } from '#lib/platform/errors/failures.ts';
import { type PostingSlots, readSlots } from './posting-slots.ts';
import { slotTimes } from './slot-times.ts';

const horizonDays = 366;
/** Rows of taken minutes per read, about 75 KB. */
const minutesPerRead = 500;
/** With 100 slots a week, one post in each, a year takes eleven reads. */
const maxReads = 20;
const maxTries = 20;
/** The first loser takes the next slot. After that, many compete: they spread over more slots. */
const spread = 4;

/** Returns when an account's next slot without a post is, in UTC, or undefined. */
export async function findNextSlot(
  organizationId: string,
  accountId: string,
): Promise<string | undefined> {
  const [first] = await findFreeSlots(readSlots(organizationId), { organizationId, accountId }, 1);

  return first;
}

/**
 * Runs `attempt` with the next free slot of each account, and again with others while other requests
 * take one first. `attempt` writes scheduled posts with `isInSlot: true` and these `scheduledAt` in
 * one transaction, with the writes of `planMinute` that claim the slots. A slot is undefined if none
 * is free within a year.
 *
 * @throws 409 if other requests keep taking the slots.
 */
export async function withNextSlots<T>(
  organizationId: string,
  accountIds: readonly string[],
  attempt: (scheduledAt: ReadonlyArray<string | undefined>) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const choices = spread ** Math.max(0, tries - 1);
    const weekly = readSlots(organizationId);
    const free = await Promise.all(
      accountIds.map((accountId) => findFreeSlots(weekly, { organizationId, accountId }, choices)),
    );
    try {
      return await attempt(free.map((slots) => slots[randomInt(Math.max(1, slots.length))]));
    } catch (failure) {
      if (!(failure instanceof SlotTakenError)) {
        throw failure;
      }
      await wait(backoffMs(tries + 1));
    }
  }

  throw conflict('Other requests are taking the slots. Try again');
}

/**
 * Returns the first free slots of an account, at most `wanted`. Reads the account's own taken
 * minutes, and those only up to the last returned slot.
 */
async function findFreeSlots(
  weekly: Promise<PostingSlots>,
  { organizationId, accountId }: { readonly organizationId: string; readonly accountId: string },
  wanted: number,
): Promise<readonly string[]> {
  const after = now();
  const until = after + horizonDays * dayMs;
  const read = (fromMs: number) => readTaken(organizationId, accountId, { fromMs, untilMs: until });
  const [{ timezone, slots }, first] = await Promise.all([weekly, read(after)]);
  const own = slots.filter(({ socialAccountId }) => (socialAccountId ?? accountId) === accountId);
  const free: string[] = [];
  let taken = first;
  let reads = 1;
  for (const atMs of slotTimes(own, timezone, { after, until })) {
    const at = new Date(atMs).toISOString();
    if (minuteOf(at) > taken.knownUntil) {
      if (reads === maxReads) {
        return free;
      }
      taken = await read(atMs);
      reads += 1;
    }
    if (!taken.minutes.has(minuteOf(at))) {
      free.push(at);
    }
    if (free.length === wanted) {
      return free;
    }
  }

  return free;
}

type Taken = { readonly minutes: ReadonlySet<string>; readonly knownUntil: string };

async function readTaken(
  organizationId: string,
  accountId: string,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Promise<Taken> {
  const [from = '', to = ''] = [fromMs, untilMs].map((ms) => minuteOf(new Date(ms).toISOString()));
  const rows = await query(ranges.postMinutes(organizationId, accountId, { from, to }), {
    limit: minutesPerRead,
    keysOnly: true,
  });
  const minutes = rows.map(minuteOfKey);
  const lastRead = rows.length < minutesPerRead ? undefined : minutes.at(-1);

  return { minutes: new Set(minutes), knownUntil: lastRead ?? to };
}
