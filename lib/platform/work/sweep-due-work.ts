import { dayMs, epochSeconds, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { outboxKind } from '#lib/platform/db/keys/system.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import type { WorkKind } from '#schemas/messages.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { notifyWorker, type OutboxItem } from './outbox.ts';

const batchSize = 1_000;
/**
 * At five-minute intervals, this is a day. Afterwards, the item is no longer retried, and kept for
 * 30 days.
 */
const maxAttempts = 288;
const retentionDays = 30;

function isWorkKind(kind: string | undefined): kind is WorkKind {
  return kind !== undefined && kind in workerDefinitions;
}

/**
 * Dispatches due outbox items. Each item is rescheduled by a conditional write before it is sent.
 * So concurrent sweeps send it once, and a crash in between only delays it.
 *
 * @returns the number of sent items.
 * @throws AggregateError if some items could not be sent, after trying all of them.
 */
export async function sweepDueWork(): Promise<number> {
  const due = await findDueItems('DUE', batchSize);
  const outcomes = await Promise.allSettled(due.map(sweepItem));
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} of ${due.length} pieces were not sent`);
  }

  return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length;
}

async function sweepItem(item: DueItem): Promise<boolean> {
  const kind = outboxKind(item.sk);
  if (!isWorkKind(kind)) {
    logAlarmingError('LostWork', 'An item of an unknown kind is due', { sortKey: item.sk });
    await removeFromIndex(item);

    return false;
  }
  const rearmed = await rearm(item);
  if (rearmed === undefined) {
    return false;
  }
  if (rearmed.attempts >= maxAttempts) {
    logAlarmingError('LostWork', 'A piece of work was given up after many tries', {
      kind,
      sortKey: item.sk,
    });
    await removeFromIndex(item);

    return false;
  }
  await notifyWorker(kind, item, { group: rearmed.group });

  return true;
}

/**
 * Claims the item for this sweep. Returns `undefined` if another sweep has claimed it, or the work
 * is done.
 */
function rearm(item: DueItem): Promise<OutboxItem | undefined> {
  return changeIfMet(
    change(item, {
      set: { dueAt: timestamp(5 * minuteMs) },
      add: { attempts: 1 },
      when: equals('dueAt', item.dueAt),
    }),
  );
}

async function removeFromIndex(item: DueItem): Promise<void> {
  await write(
    change(item, {
      set: {
        duePk: null,
        dueAt: null,
        expiresAtSeconds: epochSeconds((retentionDays * dayMs) / 1000),
      },
    }),
  );
}
