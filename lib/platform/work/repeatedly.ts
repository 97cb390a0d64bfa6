import { ConditionNotMet } from '#lib/platform/db/write.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';

/**
 * Does some work, and beside it something else every few seconds, until the work is over. A beat
 * whose condition does not hold is the last one; one that fails otherwise is followed by the next.
 */
export async function repeatedly<T>(
  everyMs: number,
  beat: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  let latest: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    latest = latest.then(beat).catch((failure: unknown) => {
      if (failure instanceof ConditionNotMet) {
        clearInterval(timer);

        return;
      }
      logger.warn('A lease was not renewed', { failure: describeFailure(failure) });
    });
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await latest;
  }
}
