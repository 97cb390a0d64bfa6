import { now, pause, secondMs } from '#lib/platform/clock.ts';
import { overloaded } from '#lib/platform/errors/failures.ts';
import { fullJitterMs } from './backoff.ts';
import { ConditionNotMetError } from './failures.ts';
import { isConflictExhausted } from './write.ts';

/**
 * Leaves time for the last attempt, which may take ten seconds. Endpoints time out after 29
 * seconds.
 */
const patienceMs = 18 * secondMs;
const maxDelayMs = 2 * secondMs;

/**
 * Retries an operation that failed because of a concurrent change. Each attempt reads again, after
 * a delay. The delays grow, so that a hundred requests that change the same item all succeed in
 * time.
 *
 * @param what names the changed thing in the log.
 * @throws 503 if other requests keep changing it.
 */
export async function retryWhenOvertaken<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  const untilMs = now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (failure) {
      if (!(failure instanceof ConditionNotMetError) && !isConflictExhausted(failure)) {
        throw failure;
      }
      if (now() >= untilMs) {
        throw overloaded(new Error(`Other requests keep changing the ${what}`, { cause: failure }));
      }
      await pause(fullJitterMs(Math.min(maxDelayMs, 20 * 2 ** tries)));
    }
  }
}
