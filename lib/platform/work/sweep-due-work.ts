import { dayMs, epochSeconds, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/due-work.ts';
import { outboxKind } from '#lib/platform/db/keys/system.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { logger } from '#lib/platform/log/logger.ts';
import type { WorkKind } from '#schemas/messages.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { type OutboxItem, tellWorker } from './outbox.ts';

const batchPerShard = 250;
/** Five minutes apart, this is a day: then a piece of work is given up, and kept for a month to be seen. */
const maxAttempts = 288;
const keptDays = 30;

function isWorkKind(kind: string | undefined): kind is WorkKind {
  return kind !== undefined && kind in workerDefinitions;
}

/**
 * Puts what is due into its queue. Each item is re-armed by a conditional write before it is sent,
 * so that of two sweeps at once one sends it, and a crash in between delays it and loses nothing.
 *
 * @returns how many pieces of work were sent.
 * @throws AggregateError when all have been tried and some could not be sent.
 */
export async function sweepDueWork(): Promise<number> {
  const due = await findDueItems('DUE', batchPerShard);
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
    logger.error('An item of an unknown kind is due', { sortKey: item.sk });
    await takeOffIndex(item);

    return false;
  }
  const rearmed = await rearm(item);
  if (rearmed === undefined) {
    return false;
  }
  if (rearmed.attempts >= maxAttempts) {
    logger.error('A piece of work was given up after many tries', { kind, sortKey: item.sk });
    await takeOffIndex(item);

    return false;
  }
  await tellWorker(kind, item, { group: rearmed.group });

  return true;
}

/** Takes the item for this sweep. `undefined`: another one has it, or its work is done. */
function rearm(item: DueItem): Promise<OutboxItem | undefined> {
  return changeIfMet(
    change(item, {
      set: { dueAt: timestamp(5 * minuteMs) },
      add: { attempts: 1 },
      when: equals('dueAt', item.dueAt),
    }),
  );
}

/** It is not swept any more, and stays to be seen for a month. */
async function takeOffIndex(item: DueItem): Promise<void> {
  await write(
    change(item, {
      set: {
        duePk: null,
        dueAt: null,
        expiresAtSeconds: epochSeconds((keptDays * dayMs) / 1000),
      },
    }),
  );
}
