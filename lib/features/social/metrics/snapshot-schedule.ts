import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WorkPayload } from '#schemas/messages.ts';

export type SnapshotSchedule = WorkPayload<'accountSnapshot'>;

const batchSize = 1_000;
const atOnce = 20;
const reserveMs = 10_000;

function planSnapshot({ organizationId, accountId }: SnapshotSchedule): Write {
  return planWork('accountSnapshot', {
    owner: organizationKeys.organization(organizationId),
    payload: { organizationId, accountId },
  });
}

/** Fetches a new account's first metrics immediately, and schedules its later runs. */
export function planSnapshots({ organizationId, id }: SocialAccount): readonly Write[] {
  const schedule: SnapshotSchedule = { organizationId, accountId: id };

  return [
    create(socialKeys.snapshotSchedule(organizationId, id), {
      ...schedule,
      ...dueIn('METRICS', timestamp()),
    }),
    planSnapshot(schedule),
  ];
}

/**
 * Plans a snapshot for every account, starting with those that have waited longest. The transaction
 * that plans an account's work also moves the account to the end of the queue. So two concurrent
 * runs plan it once, and accounts for which a run has no time come first in the next run.
 *
 * @returns the number of accounts for which work was planned.
 */
export async function scheduleSnapshots(remainingMs: () => number): Promise<number> {
  const until = timestamp(-1);
  let planned = 0;
  const scheduleInTime = async (item: DueItem): Promise<boolean> =>
    remainingMs() > reserveMs && (await scheduleDue(item));
  for (;;) {
    const due = await findDueItems('METRICS', batchSize, until);
    const outcomes = await atMostAtOnce(atOnce, due, scheduleInTime);
    const done = outcomes.filter(Boolean).length;
    planned += done;
    if (done === 0) {
      return planned;
    }
  }
}

async function scheduleDue(item: DueItem): Promise<boolean> {
  const schedule = await get<SnapshotSchedule>({ pk: item.pk, sk: item.sk });
  if (!schedule) {
    return false;
  }

  return writeIfMet(
    change(item, { set: { dueAt: timestamp() }, when: equals('dueAt', item.dueAt) }),
    planSnapshot(schedule),
  );
}
