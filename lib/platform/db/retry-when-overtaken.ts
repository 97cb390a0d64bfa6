import { setTimeout as wait } from 'node:timers/promises';
import { conflict } from '#lib/platform/errors/failures.ts';
import { backoffMs } from './backoff.ts';
import { ConditionNotMetError } from './write.ts';

const maxTries = 10;

/**
 * Retries an operation that failed because of a concurrent change. Each attempt reads again, after
 * a delay.
 *
 * @throws 409 if the conflicts continue.
 */
export async function retryWhenOvertaken<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    try {
      return await attempt();
    } catch (failure) {
      if (!(failure instanceof ConditionNotMetError)) {
        throw failure;
      }
      await wait(backoffMs(tries));
    }
  }

  throw conflict(`Other requests are changing the ${what}. Try again`);
}
