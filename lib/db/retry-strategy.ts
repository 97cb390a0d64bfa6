import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { fullJitterMs } from './jitter.ts';

type Strategies = NonNullable<DynamoDBClientConfig['retryStrategy']>;
type RetryStrategy = Extract<Strategies, { acquireInitialRetryToken: unknown }>;
type RetryToken = Awaited<ReturnType<RetryStrategy['acquireInitialRetryToken']>>;

const maxAttempts = 6;
const baseMs = 100;

/**
 * Repeats what the table throttled, what failed on its side and what the network lost: six tries,
 * three seconds at the most, with full jitter. The SDK's own strategy waits up to half a minute for
 * a table that throttles, longer than a caller does.
 */
export const retryStrategy: RetryStrategy = {
  acquireInitialRetryToken: async () => retryToken(0),
  refreshRetryTokenForRetry: async (token, { errorType }) => {
    const retries = token.getRetryCount() + 1;
    const isPassing = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    if (!isPassing || retries >= maxAttempts) {
      throw new Error('The call is not repeated');
    }

    return retryToken(retries);
  },
  recordSuccess: () => undefined,
};

function retryToken(retries: number): RetryToken {
  const delayMs = retries === 0 ? 0 : fullJitterMs(baseMs * 2 ** (retries - 1));

  return { getRetryCount: () => retries, getRetryDelay: () => delayMs };
}
