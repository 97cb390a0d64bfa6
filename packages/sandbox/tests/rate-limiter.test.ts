import { expect, test } from 'vitest';
import { createRateLimiter } from '../src/services/networks/rate-limiter.ts';

test('the rate limiter reports the limit as exceeded until the oldest call leaves the window', () => {
  let at = 1_000;
  const limiter = createRateLimiter(() => new Date(at));

  expect(limiter.take('a', 2, 100)).toMatchObject({ isExceeded: false, used: 1, remaining: 1 });
  at += 50;
  expect(limiter.take('a', 2, 100)).toMatchObject({ isExceeded: false, used: 2, remaining: 0 });
  expect(limiter.take('a', 2, 100)).toMatchObject({ isExceeded: true, resetAt: new Date(1_100) });
  expect(limiter.take('b', 2, 100)).toMatchObject({ isExceeded: false });
  at = 1_100;
  expect(limiter.peek('a', 2, 100)).toMatchObject({ isExceeded: false, used: 1 });
  expect(limiter.take('a', 2, 100)).toMatchObject({ isExceeded: false, used: 2 });
});
