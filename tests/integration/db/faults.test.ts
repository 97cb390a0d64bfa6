// Runs in a separate process: the service is loaded with the address of a proxy
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { getMe, logIn, signUp } from '#schemas/auth.ts';
import { newAccount, password, signUpBody } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { customersOf } from '#tests/support/provider.ts';
import { storedItems } from '#tests/support/table.ts';
import { measureWaits } from '#tests/support/waiting.ts';
import { loadDataLayer } from './proxied-db.ts';

const db = await loadDataLayer();
const { proxy, write, create, change, count, remove, get } = db;

afterEach(() => proxy.faults.clear());
afterAll(() => proxy.close());

function freshKey(pk = `TEST#${randomUUID()}`): Key {
  return { pk, sk: randomUUID() };
}

/** At most three seconds of backoff, plus the calls themselves. */
const maxAnswerMs = 5_000;
const singleWrites = ['PutItem', 'UpdateItem', 'DeleteItem'];

/** Repeats a write if all of its tries met conflicts, like clients after a 503. */
async function untilAccepted(act: () => Promise<unknown>): Promise<void> {
  await act().catch((failure: unknown) => {
    if ((failure as { kind?: string }).kind === 'overloaded') {
      return untilAccepted(act);
    }
    throw failure;
  });
}

describe('conflicts with other transactions', () => {
  it('do not lose writes when three of ten calls conflict', async () => {
    proxy.faults.add({ probability: 0.3, fault: { kind: 'conflict', when: 'before' } });
    const pairs = Array.from({ length: depth(60, 1_000) }, () => [freshKey(), freshKey()] as const);
    await Promise.all(
      pairs.map(async ([one, other], index) => {
        await untilAccepted(() => write(create(one, { index }), create(other, { index })));
        await untilAccepted(() => write(change(one, { add: { changes: 1 } })));
      }),
    );

    expect(proxy.faults.hits().length).toBeGreaterThan(20);
    for (const [one, other] of pairs) {
      expect((await get<{ changes: number }>(one))?.changes).toBe(1);
      expect(await get(other)).toBeDefined();
    }
  });

  it('return 503 with Retry-After when they persist', async () => {
    proxy.faults.add({ fault: { kind: 'conflict', when: 'before' } });

    await expect(write(create(freshKey(), {}), create(freshKey(), {}))).rejects.toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '1' },
    });
  });

  it('do not hide a failed condition', async () => {
    const taken = freshKey();
    await write(create(taken, {}));
    proxy.faults.add({
      operation: 'TransactWriteItems',
      fault: {
        kind: 'conflict',
        when: 'before',
        reasons: ['TransactionConflict', 'ConditionalCheckFailed'],
      },
    });
    const refused = () => new Error('taken');

    await expect(write(create(freshKey(), {}), create(taken, {}, refused))).rejects.toThrow(
      'taken',
    );
    expect(proxy.faults.hits()).toHaveLength(1);
  });

  it.each(['ProvisionedThroughputExceeded', 'ThrottlingError', 'TransactionConflict'])(
    'are retried, as is a transaction canceled for %s',
    async (reason) => {
      const key = freshKey();
      proxy.faults.add({
        times: 3,
        fault: { kind: 'conflict', when: 'before', reasons: [reason, 'None'] },
      });
      await write(create(key, {}), create(freshKey(), {}));

      expect(await get(key)).toBeDefined();
    },
  );
});

describe('a write whose response is lost', () => {
  it.each(['error', 'disconnect'] as const)(
    'is neither repeated nor rejected (%s after one of five)',
    async (kind) => {
      proxy.faults.add({ probability: 0.2, fault: { kind, when: 'after' } });
      const counter = freshKey();
      const total = depth(40);
      const outcomes = await Promise.allSettled(
        Array.from({ length: total }, async (_, index) => {
          const key = freshKey();
          await write(create(key, { index }));
          const changed = await write(change(key, { set: { touched: true }, add: { used: 1 } }));
          expect(changed).toMatchObject({ index, touched: true, used: 1 });
          await write(count(counter, { used: 1 }), create(freshKey(key.pk), {}));
          await write(remove(key));
        }),
      );

      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
      expect(await get(counter)).toMatchObject({ used: total });
      expect(proxy.faults.hits().length).toBeGreaterThan(20);
    },
  );

  it.each(singleWrites)('is still rejected if the condition never held (%s)', async (operation) => {
    const key = freshKey();
    await (operation === 'PutItem' ? write(create(key, {})) : Promise.resolve());
    proxy.faults.add({ operation, nth: 1, fault: { kind: 'error', when: 'after' } });
    const doomed =
      operation === 'PutItem'
        ? create(key, { mine: true })
        : change(key, { set: { mine: true }, add: { used: 1 } });

    await expect(write(doomed)).rejects.toThrow('did not hold');
  });

  it('counts as done when DynamoDB reports the transaction as still in progress', async () => {
    const key = freshKey();
    proxy.faults.add({
      operation: 'TransactWriteItems',
      nth: 1,
      fault: { kind: 'refuse', when: 'after', error: 'TransactionInProgressException' },
    });
    await write(create(key, {}), create(freshKey(), {}));

    expect(await get(key)).toBeDefined();
  });

  it('neither fails nor repeats a signup, at any of its writes', async () => {
    for (let nth = 1; nth <= 3; nth += 1) {
      proxy.faults.clear();
      proxy.faults.add({
        operation: [...singleWrites, 'TransactWriteItems'],
        nth,
        fault: { kind: 'disconnect', when: 'after' },
      });
      const body = signUpBody();
      expect((await call(signUp, { body })).status).toBe(201);
      expect(await customersOf(body.email)).toHaveLength(1);
    }
  });
});

describe('a throttled table', () => {
  it('fails no request when one in five calls is throttled', async () => {
    const { token, email } = await newAccount();
    proxy.faults.add({ probability: 0.2, fault: { kind: 'throttle' } });
    for (let time = 0; time < depth(10); time += 1) {
      expect((await call(getMe, { token })).status).toBe(200);
      expect((await call(logIn, { body: { email, password } })).status).toBe(200);
    }
  });

  it.each<[string, { kind: 'throttle' } | { kind: 'error' | 'disconnect'; when: 'before' }]>([
    ['throttles every call', { kind: 'throttle' }],
    ['fails', { kind: 'error', when: 'before' }],
    ['breaks connections', { kind: 'disconnect', when: 'before' }],
  ])('returns 503 with Retry-After when it %s', async (_, fault) => {
    const { token } = await newAccount();
    proxy.faults.add({ fault });
    const { result: answer, waitedMs } = await measureWaits(() => call(getMe, { token }));

    expect(waitedMs).toBeLessThan(maxAnswerMs);
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.body).toEqual(errorBodyOf('OVERLOADED', 'The service is busy. Try again'));
  });
});

describe('a batch with unprocessed items', () => {
  it('is read until it is complete', async () => {
    const wanted = Array.from({ length: 130 }, () => freshKey());
    await Promise.all(wanted.map((key, index) => write(create(key, { index }))));
    proxy.faults.add({
      operation: 'BatchGetItem',
      probability: 0.8,
      fault: { kind: 'unprocessed', count: 4 },
    });
    const found = await db.getMany<{ index: number }>([...wanted, freshKey()]);

    expect(found.map((item) => item?.index)).toEqual([...wanted.keys(), undefined]);
  });

  it('is deleted until nothing is left', async () => {
    const pk = `TEST#${randomUUID()}`;
    const doomed = Array.from({ length: 60 }, () => freshKey(pk));
    await Promise.all(doomed.map((key) => write(create(key, {}))));
    proxy.faults.add({
      operation: 'BatchWriteItem',
      probability: 0.8,
      fault: { kind: 'unprocessed', count: 4 },
    });
    await db.removeMany([...doomed, ...doomed.slice(0, 30)]);

    expect(await storedItems(pk)).toEqual([]);
  });

  it('returns 503 when DynamoDB makes no progress', async () => {
    const wanted = Array.from({ length: 20 }, () => freshKey());
    proxy.faults.add({ operation: 'BatchGetItem', fault: { kind: 'unprocessed', count: 19 } });

    await expect(db.getMany(wanted)).rejects.toMatchObject({ statusCode: 503 });
  });
});
