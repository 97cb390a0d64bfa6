import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { type DueItem, dueIn, findDueItems } from '#lib/platform/db/due-work.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { planWork, type Work } from '#lib/platform/work/outbox.ts';

/** The account whose metrics every run of the job fetches. */
export type SnapshotSchedule = { readonly organizationId: string; readonly accountId: string };

const batchPerShard = 250;
const atOnce = 20;
const reserveMs = 10_000;

function planSnapshot({ organizationId, accountId }: SnapshotSchedule): Work {
  return planWork('accountSnapshot', {
    owner: keys.organization(organizationId),
    payload: JSON.stringify({ organizationId, accountId }),
  });
}

/** Plans the first snapshot of a new account, and adds the account to the job's schedule. */
export function planSnapshots({ organizationId, id }: SocialAccount): {
  readonly writes: readonly Write[];
  readonly dispatch: () => Promise<void>;
} {
  const schedule: SnapshotSchedule = { organizationId, accountId: id };
  const first = planSnapshot(schedule);

  return {
    writes: [
      create(keys.snapshotSchedule(organizationId, id), {
        ...schedule,
        ...dueIn('METRICS', timestamp()),
      }),
      first.write,
    ],
    dispatch: first.dispatch,
  };
}

/**
 * Plans a snapshot for every account, starting with those that have waited longest. The transaction
 * that plans an account's work also moves the account to the end of the queue. So two concurrent
 * runs plan it once, and accounts that a run has no time for come first in the next.
 *
 * @returns the number of accounts that work was planned for.
 */
export async function planAllSnapshots(remainingMs: () => number): Promise<number> {
  const until = timestamp(-1);
  let planned = 0;
  const planInTime = async (item: DueItem): Promise<boolean> =>
    remainingMs() > reserveMs && (await planDue(item));
  for (;;) {
    const due = await findDueItems('METRICS', batchPerShard, until);
    const outcomes = await atMostAtOnce(atOnce, due, planInTime);
    const done = outcomes.filter(Boolean).length;
    planned += done;
    if (done === 0) {
      return planned;
    }
  }
}

async function planDue(item: DueItem): Promise<boolean> {
  const schedule = await get<SnapshotSchedule>({ pk: item.pk, sk: item.sk });
  if (!schedule) {
    return false;
  }
  const work = planSnapshot(schedule);
  const isPlanned = await writeIfMet(
    change(item, { set: { dueAt: timestamp() }, when: equals('dueAt', item.dueAt) }),
    work.write,
  );
  if (!isPlanned) {
    return false;
  }
  await work.dispatch();

  return true;
}
