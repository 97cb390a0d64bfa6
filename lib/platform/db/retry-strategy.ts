import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { config } from '#lib/platform/config.ts';
import { fullJitterMs } from './jitter.ts';

type Strategies = NonNullable<DynamoDBClientConfig['retryStrategy']>;
type RetryStrategy = Extract<Strategies, { acquireInitialRetryToken: unknown }>;
type RetryToken = Awaited<ReturnType<RetryStrategy['acquireInitialRetryToken']>>;

export const maxAttempts = 6;
const baseMs = 100;
/**
 * After so many times the limit of one call no further try is begun. With the last one's own limit a
 * caller waits ten seconds.
 */
const patience = 1.5;

/**
 * Repeats what the table throttled, what failed on its side and what the network lost: six tries,
 * with three seconds of waiting at the most and full jitter. The SDK's own strategy waits up to half a minute for
 * a table that throttles, longer than a caller does.
 */
export const retryStrategy: RetryStrategy = {
  acquireInitialRetryToken: async () => retryToken(0, performance.now()),
  refreshRetryTokenForRetry: async (token, { errorType }) => {
    const retries = token.getRetryCount() + 1;
    const isPassing = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    const { startedAtMs } = token as TimedToken;
    const isLate = performance.now() - startedAtMs > patience * config.tableTimeoutMs;
    if (!isPassing || isLate || retries >= maxAttempts) {
      throw new Error('The call is not repeated');
    }

    return retryToken(retries, startedAtMs);
  },
  recordSuccess: () => undefined,
};

type TimedToken = RetryToken & { readonly startedAtMs: number };

function retryToken(retries: number, startedAtMs: number): TimedToken {
  const delayMs = retries === 0 ? 0 : fullJitterMs(baseMs * 2 ** (retries - 1));

  return { getRetryCount: () => retries, getRetryDelay: () => delayMs, startedAtMs };
}
