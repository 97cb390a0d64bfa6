import { rateLimits } from '#schemas/rate-limits.ts';

/** Removes all rate limits, because generated tests call an endpoint more often than a user may. */
export function liftRateLimits(): void {
  for (const { variable } of Object.values(rateLimits)) {
    process.env[variable] = '100000000';
  }
}
