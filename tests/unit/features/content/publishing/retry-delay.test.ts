import { describe, expect, it } from 'vitest';
import { maxTries, retryDelayMs } from '#lib/features/content/publishing/retry-delay.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';

const draws = Array.from({ length: 200 }, (_, index) => index);
const delaysAfter = (tries: number) => draws.map(() => retryDelayMs(tries));

describe('retryDelayMs', () => {
  it('returns at most ten seconds after the first try', () => {
    expect(Math.max(...delaysAfter(1))).toBeLessThanOrEqual(10_000);
    expect(Math.min(...delaysAfter(1))).toBeGreaterThan(0);
  });

  it('grows with each try and has jitter', () => {
    for (let tries = 2; tries < maxTries; tries += 1) {
      expect(Math.min(...delaysAfter(tries))).toBeGreaterThan(Math.max(...delaysAfter(tries - 1)));
      expect(new Set(delaysAfter(tries)).size).toBeGreaterThan(1);
    }
  });

  it('spreads the tries over more than ten minutes', () => {
    const shortest = Array.from({ length: maxTries - 1 }, (_, index) =>
      Math.min(...delaysAfter(index + 1)),
    );

    expect(shortest.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(10 * 60_000);
  });

  it('uses a longer delay requested by the network, up to one day', () => {
    const failing = (retryAfterMs: number) =>
      new NetworkError('TWITTER', 'rateLimited', { message: 'Later', retryAfterMs });

    expect(retryDelayMs(1, failing(900_000))).toBe(900_000);
    expect(retryDelayMs(1, failing(10 ** 12))).toBe(86_400_000);
  });
});
