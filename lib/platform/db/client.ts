import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '#lib/platform/aws/client-settings.ts';
import { ticksMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { recordQuery } from '#lib/platform/metrics/buffer.ts';
import { fullJitterMs } from './backoff.ts';

type Strategies = NonNullable<DynamoDBClientConfig['retryStrategy']>;
type RetryStrategy = Extract<Strategies, { acquireInitialRetryToken: unknown }>;
type RetryToken = Awaited<ReturnType<RetryStrategy['acquireInitialRetryToken']>>;

const maxAttempts = 6;
const baseMs = 100;
/**
 * No retry starts after this multiple of the call timeout. With the timeout of the last attempt, a
 * caller waits at most ten seconds.
 */
const retryDeadlineFactor = 1.5;

/**
 * Retries throttling, server errors and network failures: six attempts, at most three seconds of
 * delays in total, with full jitter. The SDK's default strategy waits up to 30 seconds for a
 * throttled table, longer than callers do.
 */
export const retryStrategy: RetryStrategy = {
  acquireInitialRetryToken: async () => retryToken(0, performance.now()),
  refreshRetryTokenForRetry: async (token, { errorType }) => {
    const retries = token.getRetryCount() + 1;
    const isPassing = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    const { startedAtMs } = token as TimedToken;
    const isLate = performance.now() - startedAtMs > retryDeadlineFactor * config.tableTimeoutMs;
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

export const documentClient = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    ...clientSettings({
      endpoint: config.dynamodbEndpoint,
      connectMs: config.tableTimeoutMs / 4,
      requestMs: config.tableTimeoutMs,
      maxAttempts,
    }),
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
    retryStrategy,
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);

documentClient.middlewareStack.add(
  (next) => async (call) => {
    const beganAtMs = ticksMs();
    try {
      return await next(call);
    } finally {
      recordQuery(ticksMs() - beganAtMs);
    }
  },
  { step: 'initialize', name: 'recordQuery' },
);
