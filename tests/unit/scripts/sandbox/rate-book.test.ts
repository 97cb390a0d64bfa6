import { expect, test } from 'vitest';
import { createRateBook } from '#scripts/sandbox/services/networks/rate-book.ts';

test('reports the limit as exceeded until the oldest call leaves the window', () => {
  let at = 1_000;
  const book = createRateBook(() => new Date(at));

  expect(book.take('a', 2, 100)).toMatchObject({ isExceeded: false, used: 1, remaining: 1 });
  at += 50;
  expect(book.take('a', 2, 100)).toMatchObject({ isExceeded: false, used: 2, remaining: 0 });
  expect(book.take('a', 2, 100)).toMatchObject({ isExceeded: true, resetAt: new Date(1_100) });
  expect(book.take('b', 2, 100)).toMatchObject({ isExceeded: false });
  at = 1_100;
  expect(book.look('a', 2, 100)).toMatchObject({ isExceeded: false, used: 1 });
  expect(book.take('a', 2, 100)).toMatchObject({ isExceeded: false, used: 2 });
});
