import { describe, expect, it } from 'vitest';
import { retryStrategy } from '#lib/platform/db/retry-strategy.ts';

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

describe('a call that the table throttled or lost', () => {
  it.each(['THROTTLING', 'TRANSIENT'] as const)(
    'is sent six times, and waits three seconds at the most (%s)',
    async (errorType) => {
      for (let run = 0; run < 200; run += 1) {
        const delays = await delaysUntilItGivesUp(errorType);
        expect(delays).toHaveLength(5);
        expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(3_100);
      }
    },
  );

  it('is sent again after times that differ, also after many others have failed', async () => {
    const first = (await delaysUntilItGivesUp('THROTTLING'))[0];
    const delays = await Promise.all(
      Array.from({ length: 500 }, () => delaysUntilItGivesUp('THROTTLING')),
    );

    expect(new Set([first, ...delays.map(([delay]) => delay)]).size).toBeGreaterThan(400);
  });
});

describe('a call that was wrong', () => {
  it.each(['CLIENT_ERROR', 'SERVER_ERROR'] as const)(
    'is not sent again (%s)',
    async (errorType) => {
      const token = await retryStrategy.acquireInitialRetryToken('test');

      await expect(retryStrategy.refreshRetryTokenForRetry(token, { errorType })).rejects.toThrow();
    },
  );
});
