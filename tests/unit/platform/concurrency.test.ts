import { expect, test } from 'vitest';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';

test('atMostAtOnce limits the number of concurrent items and keeps their order', async () => {
  let running = 0;
  let most = 0;
  const results = await atMostAtOnce(2, [5, 1, 4, 2, 3], async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) {
      await Promise.resolve();
    }
    running -= 1;

    return item * 10;
  });

  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});
