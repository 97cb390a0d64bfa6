import { expect, test } from 'vitest';
import { backoffMs } from '#lib/platform/db/backoff.ts';

test.each([
  [1, 40],
  [2, 80],
  [3, 160],
  [4, 320],
  [5, 400],
  [6, 400],
  [7, 400],
])('after %i tries, backoffMs returns a random delay up to %i ms', (tries, ceilingMs) => {
  const delays = Array.from({ length: 200 }, () => backoffMs(tries));

  expect(Math.max(...delays)).toBeLessThanOrEqual(ceilingMs);
  expect(Math.max(...delays)).toBeGreaterThan(ceilingMs * 0.8);
  expect(Math.min(...delays)).toBeLessThan(ceilingMs * 0.2);
});
