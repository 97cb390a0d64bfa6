import { secondMs } from '#lib/platform/clock.ts';
import { consume, type RateLimitState } from '#lib/platform/rate-limits/rate-limiter.ts';

/** The counter is in DynamoDB, and health requests must be answered even if DynamoDB is down. */
const timeoutMs = secondMs;

/** Counts an unauthenticated request. Returns `undefined` if DynamoDB does not respond in time. */
export async function limitPublicRequests(clientIp: string): Promise<RateLimitState | undefined> {
  const timeout = new Promise<undefined>((resolve) => {
    setTimeout(resolve, timeoutMs, undefined).unref();
  });

  return Promise.race([consume('healthPublic', clientIp), timeout]);
}
