import { expect, test } from 'vitest';
import { createRequestLog } from '../src/frame/request-log.ts';

test('the request log keeps the last 20,000 calls, oldest first', () => {
  const log = createRequestLog();

  for (let number = 1; number <= 20_005; number += 1) {
    log.record('hooks', {
      id: String(number),
      at: new Date(number),
      method: 'POST',
      path: '/_sandbox/hooks/orders',
      query: new URLSearchParams(),
      headers: {},
      body: '',
      bytes: Buffer.alloc(0),
      pause: async () => {},
    });
    log.answered(String(number), 200, false);
  }

  const kept = log.list({});
  expect(kept).toHaveLength(20_000);
  expect([kept.at(0)?.id, kept.at(-1)?.id]).toEqual(['6', '20005']);
});
