import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';

/**
 * Runs `work`, and calls `beat` at an interval until the work is finished. A beat whose condition
 * fails is the last one. Other failures are logged, and the next beat runs.
 */
export async function repeatedly<T>(
  everyMs: number,
  beat: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  let latest: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    latest = latest.then(beat).catch((failure: unknown) => {
      if (failure instanceof ConditionNotMetError) {
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
