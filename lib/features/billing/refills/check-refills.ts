import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { organizationIdOf } from '#lib/platform/db/keys/key.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import { refillWhenLow } from './start-refill.ts';

const batchSize = 1_000;
const maxConcurrency = 20;
/** Slightly less than the schedule, so that every run includes every balance. */
const checkAgainMs = 4.5 * minuteMs;
/** Leaves time to finish a batch, which takes one or two seconds. */
const reserveMs = 10_000;

/**
 * Checks the balances that have auto-refill turned on, including those whose pause has ended, and
 * starts due refills.
 *
 * @returns the numbers of checked balances and started refills.
 */
export async function checkRefills(
  remainingMs: () => number,
): Promise<{ readonly checked: number; readonly begun: number }> {
  let checked = 0;
  let begun = 0;
  while (remainingMs() > reserveMs) {
    const due = await findDueItems('REFILL', batchSize);
    const outcomes = await atMostAtOnce(maxConcurrency, due, checkOne);
    checked += due.length;
    begun += outcomes.filter((isStarted) => isStarted).length;
    if (due.length === 0) {
      break;
    }
  }

  return { checked, begun };
}

/** Reschedules the balance before checking it, so that a failing balance cannot block the queue. */
async function checkOne(item: DueItem): Promise<boolean> {
  try {
    await write(
      change(item, {
        set: { dueAt: timestamp(checkAgainMs) },
        when: equals('dueAt', item.dueAt),
      }),
    );

    return await refillWhenLow(organizationIdOf(item));
  } catch (failure) {
    if (!(failure instanceof ConditionNotMetError)) {
      logAlarmingError('RefillCheckFailed', 'A balance could not be checked', {
        failure: describeFailure(failure),
      });
    }

    return false;
  }
}
