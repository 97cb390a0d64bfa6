import { describe, expect, it } from 'vitest';
import { retryStrategy } from '#lib/platform/db/client.ts';

async function delaysUntilItGivesUp(errorType: 'THROTTLING' | 'TRANSIENT'): Promise<number[]> {
  const delays: number[] = [];
  let token = await retryStrategy.acquireInitialRetryToken('test');
  for (;;) {
    const next = await retryStrategy
      .refreshRetryTokenForRetry(token, { errorType })
      .catch(() => undefined);
    if (!next) {
      return delays;
    }
    delays.push(next.getRetryDelay());
    token = next;
  }
}

describe('retryStrategy for throttled and lost calls', () => {
  it.each(['THROTTLING', 'TRANSIENT'] as const)(
    'makes six attempts within about three seconds of delay (%s)',
    async (errorType) => {
      for (let run = 0; run < 200; run += 1) {
        const delays = await delaysUntilItGivesUp(errorType);
        expect(delays).toHaveLength(5);
        expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(3_100);
      }
    },
  );

  it('uses random delays, even after many failures', async () => {
    const first = (await delaysUntilItGivesUp('THROTTLING'))[0];
    const delays = await Promise.all(
      Array.from({ length: 500 }, () => delaysUntilItGivesUp('THROTTLING')),
    );

    expect(new Set([first, ...delays.map(([delay]) => delay)]).size).toBeGreaterThan(400);
  });
});

describe('retryStrategy for other errors', () => {
  it.each(['CLIENT_ERROR', 'SERVER_ERROR'] as const)('does not retry (%s)', async (errorType) => {
    const token = await retryStrategy.acquireInitialRetryToken('test');

    await expect(retryStrategy.refreshRetryTokenForRetry(token, { errorType })).rejects.toThrow();
  });
});
