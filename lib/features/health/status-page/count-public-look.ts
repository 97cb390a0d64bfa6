import { secondMs } from '#lib/platform/clock.ts';
import { consume, type RateLimitState } from '#lib/platform/rate-limits/rate-limiter.ts';

/** The counter lies in the table, and a look must be answered while that is down. */
const patienceMs = secondMs;

/** Counts a look that needs no session; `undefined` where the table does not answer in time. */
export async function countPublicLook(clientIp: string): Promise<RateLimitState | undefined> {
  const patience = new Promise<undefined>((resolve) => {
    setTimeout(resolve, patienceMs, undefined).unref();
  });

  return Promise.race([consume('healthPublic', clientIp), patience]);
}
