import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setClock, setPause } from '#lib/platform/clock.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { overloaded } from '#lib/platform/errors/failures.ts';

let nowMs = 0;

beforeEach(() => {
  nowMs = 0;
  setClock(() => nowMs);
  setPause(async (ms) => {
    nowMs += ms;
  });
});

afterEach(() => {
  setPause();
});

const overtaken = () => new ConditionNotMetError({ pk: 'a', sk: 'b' }, undefined);
const conflict = () =>
  overloaded(new TransactionConflictException({ message: 'Conflict', $metadata: {} }));

/** Returns an operation that fails until the given time. */
function failingUntil(ms: number, failure: () => Error) {
  return async () => {
    if (nowMs < ms) {
      throw failure();
    }

    return nowMs;
  };
}

test.each([
  ['a condition', overtaken],
  ['exhausted conflicts of transactions', conflict],
])('retryWhenOvertaken retries %s for a long time', async (_, failure) => {
  expect(await retryWhenOvertaken('lead', failingUntil(17_000, failure))).toBeLessThan(19_000);
});

test('retryWhenOvertaken returns 503 with Retry-After if the changes continue', async () => {
  const given = retryWhenOvertaken('lead', failingUntil(Number.POSITIVE_INFINITY, overtaken));

  await expect(given).rejects.toMatchObject({
    statusCode: 503,
    message: 'The service is busy. Try again',
    headers: { 'retry-after': '1' },
  });
  expect(nowMs).toBeLessThan(20_000);
});

test('retryWhenOvertaken throws other failures at once', async () => {
  const given = retryWhenOvertaken(
    'lead',
    failingUntil(1, () => overloaded(new Error('Down'))),
  );

  await expect(given).rejects.toThrow('The service is busy');
  expect(nowMs).toBe(0);
});
