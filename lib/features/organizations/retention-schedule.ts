import { dayMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { organizationIdOf } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { change, discard, put, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { ensureWork } from '#lib/platform/work/one-at-a-time.ts';

export type RetentionSchedule = {
  /** The last conversation of the current pass. */
  readonly after?: string;
};

const batchSize = 1_000;
const atOnce = 20;
const reserveMs = 15_000;
/** Slightly less than a day, so that the time of day does not drift. */
const everyMs = dayMs - 30 * minuteMs;

/** Plans to remove old messages daily from now on, or to stop that. `undefined` changes nothing. */
export function planRetention(
  organizationId: string,
  retentionDays: number | null | undefined,
): readonly Write[] {
  if (retentionDays === undefined) {
    return [];
  }
  const key = organizationKeys.retention(organizationId);

  return [retentionDays === null ? discard(key) : put(key, dueIn('RETENTION', timestamp()))];
}

/**
 * Starts to remove old messages for each due organization. A removal that is still running
 * continues.
 *
 * @returns the number of organizations.
 */
export async function startRetention(remainingMs: () => number): Promise<number> {
  const until = timestamp();
  let count = 0;
  while (remainingMs() > reserveMs) {
    const due = await findDueItems('RETENTION', batchSize, until);
    const outcomes = await atMostAtOnce(atOnce, due, startDue);
    count += outcomes.filter(Boolean).length;
    if (!outcomes.some(Boolean)) {
      break;
    }
  }

  return count;
}

/** Plans the work first. If the process crashes in between, the next run plans it again. */
async function startDue(item: DueItem): Promise<boolean> {
  const organizationId = organizationIdOf(item);
  try {
    await ensureWork('organizationRemoval', {
      owner: organizationKeys.organization(organizationId),
      workId: 'OLD_MESSAGES',
      payload: { organizationId, removes: 'oldMessages' },
    });

    return await writeIfMet(
      change(item, { set: { dueAt: timestamp(everyMs) }, when: equals('dueAt', item.dueAt) }),
    );
  } catch (failure) {
    // Continue with the other organizations.
    logger.warn('The removal of old messages was not started', {
      organizationId,
      failure: describeFailure(failure),
    });

    return false;
  }
}
