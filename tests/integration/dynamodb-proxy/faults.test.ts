import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { FaultRule } from '#scripts/dynamodb-proxy/fault-schedule.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { patiently } from '#tests/support/patience.ts';
import { connect, startProxiedTable, TableName } from './proxied-table.ts';

let counter = 0;

const table = await startProxiedTable();

afterEach(() => {
  table.proxy.faults.clear();
});
afterAll(async () => {
  await table.close();
});

function newKey() {
  counter += 1;

  return { pk: `P#${counter}`, sk: 'S' };
}

function put(key: { readonly pk: string; readonly sk: string }) {
  return table.client.send(new PutCommand({ TableName, Item: { ...key, name: 'kept' } }));
}

function putBoth(first: ReturnType<typeof newKey>, second: ReturnType<typeof newKey>) {
  return table.client.send(
    new TransactWriteCommand({
      TransactItems: [{ Put: { TableName, Item: first } }, { Put: { TableName, Item: second } }],
    }),
  );
}

test('the DynamoDB proxy changes nothing without rules', async () => {
  const key = newKey();
  await put(key);

  const { Item } = await table.client.send(new GetCommand({ TableName, Key: key }));

  expect(Item).toEqual({ ...key, name: 'kept' });
});

describe("the caller's error, and whether the write was applied", () => {
  test.each<[string, FaultRule['fault'], string, boolean]>([
    [
      'conflict before',
      { kind: 'conflict', when: 'before' },
      'TransactionConflictException',
      false,
    ],
    ['conflict after', { kind: 'conflict', when: 'after' }, 'TransactionConflictException', true],
    ['throttle', { kind: 'throttle' }, 'ProvisionedThroughputExceededException', false],
    [
      'throttle by rate',
      { kind: 'throttle', error: 'ThrottlingException' },
      'ThrottlingException',
      false,
    ],
    ['error before', { kind: 'error', when: 'before' }, 'InternalServerError', false],
    ['error after', { kind: 'error', when: 'after' }, 'InternalServerError', true],
    ['disconnect before', { kind: 'disconnect', when: 'before' }, 'TimeoutError', false],
    ['disconnect after', { kind: 'disconnect', when: 'after' }, 'TimeoutError', true],
    [
      'refusal before',
      { kind: 'refuse', when: 'before', error: 'RequestLimitExceeded' },
      'RequestLimitExceeded',
      false,
    ],
  ])('%s', async (_name, fault, errorName, isDone) => {
    const key = newKey();
    table.proxy.faults.add({ fault });

    await expect(put(key)).rejects.toMatchObject({ name: errorName });

    expect((await table.stored(key.pk, key.sk)) !== undefined).toBe(isDone);
  });

  test('breaks a connection with ECONNRESET', async () => {
    table.proxy.faults.add({ fault: { kind: 'disconnect', when: 'before' } });

    await expect(put(newKey())).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a transaction conflict', () => {
  test.each([
    ['before', false],
    ['after', true],
  ] as const)('%s: cancels the transaction with a reason for each item', async (when, isDone) => {
    const [first, second] = [newKey(), newKey()];
    table.proxy.faults.add({ fault: { kind: 'conflict', when } });

    const error = await putBoth(first, second).catch((cause: unknown) => cause);

    expect(error).toBeInstanceOf(TransactionCanceledException);
    expect(error).toMatchObject({
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    });
    expect((await table.stored(second.pk, second.sk)) !== undefined).toBe(isDone);
  });

  test('can mix reasons', async () => {
    const reasons = ['ConditionalCheckFailed', 'TransactionConflict'];
    table.proxy.faults.add({ fault: { kind: 'conflict', when: 'before', reasons } });

    await expect(putBoth(newKey(), newKey())).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'TransactionConflict' }],
    });
  });
});

test('the DynamoDB proxy does not repeat a retried transaction that was already applied', async () => {
  const key = newKey();
  const retrying = connect(table.proxy.endpoint, 3);
  table.proxy.faults.add({ nth: 1, fault: { kind: 'error', when: 'after' } });

  await retrying.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Update: {
            TableName,
            Key: key,
            UpdateExpression: 'ADD visits :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
      ],
    }),
  );
  retrying.destroy();

  expect(await table.stored(key.pk, key.sk)).toMatchObject({ visits: 1 });
});

describe('a delay', () => {
  test.each([
    ['before', false],
    ['after', true],
  ] as const)(
    '%s the write: whether it is applied when the caller gives up: %s',
    async (when, isDone) => {
      const key = newKey();
      table.proxy.faults.add({ fault: { kind: 'delay', when, delayMs: 60_000 } });
      const giveUp = new AbortController();
      const pending = table.client.send(new PutCommand({ TableName, Item: key }), {
        abortSignal: giveUp.signal,
      });
      await vi.waitFor(async () => {
        expect(table.proxy.faults.hits()).toHaveLength(1);
        expect((await table.stored(key.pk, key.sk)) !== undefined).toBe(isDone);
      }, patiently);

      giveUp.abort();

      await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
      expect((await table.stored(key.pk, key.sk)) !== undefined).toBe(isDone);
    },
  );

  test('ends early when its awaited condition comes first', async () => {
    const key = newKey();
    const { promise: until, resolve } = Promise.withResolvers<void>();
    table.proxy.faults.add({ fault: { kind: 'delay', when: 'before', delayMs: 60_000, until } });
    const pending = put(key);
    await vi.waitFor(() => expect(table.proxy.faults.hits()).toHaveLength(1), patiently);
    expect(await table.stored(key.pk, key.sk)).toBeUndefined();

    resolve();

    await pending;
    expect(await table.stored(key.pk, key.sk)).toBeDefined();
  });

  test('lets a caller with a long timeout get its response', async () => {
    const key = newKey();
    table.proxy.faults.add({ fault: { kind: 'delay', when: 'before', delayMs: 50 } });
    const startedAtMs = performance.now();

    await put(key);

    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(49);
    expect(await table.stored(key.pk, key.sk)).toBeDefined();
  });
});

describe('killing the caller', () => {
  test.each([
    ['before', false],
    ['after', true],
  ] as const)('%s the write, with a function', async (when, isDone) => {
    const key = newKey();
    const victim = vi.fn();
    table.proxy.faults.add({ fault: { kind: 'kill', when, victim } });

    await expect(put(key)).rejects.toMatchObject({ code: 'ECONNRESET' });

    expect(victim).toHaveBeenCalledOnce();
    expect((await table.stored(key.pk, key.sk)) !== undefined).toBe(isDone);
  });

  test('works with its process id', async () => {
    const victim = spawn('sleep', ['60']);
    await once(victim, 'spawn');
    const ended = once(victim, 'exit');
    table.proxy.faults.add({
      fault: { kind: 'kill', when: 'after', victim: victim.pid ?? Number.NaN },
    });

    await expect(put(newKey())).rejects.toMatchObject({ code: 'ECONNRESET' });

    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});

describe('an incomplete batch', () => {
  test('leaves its last keys unprocessed in a read, and they can be requested again', async () => {
    const keys = [newKey(), newKey(), newKey()];
    await Promise.all(keys.map(put));
    table.proxy.faults.add({ nth: 1, fault: { kind: 'unprocessed', count: 2 } });
    const request = { [TableName]: { Keys: keys, ConsistentRead: true } };

    const first = await table.client.send(new BatchGetCommand({ RequestItems: request }));
    const second = await table.client.send(
      new BatchGetCommand({ RequestItems: first.UnprocessedKeys }),
    );

    expect(first.Responses?.[TableName]).toHaveLength(1);
    expect(first.UnprocessedKeys).toEqual({
      [TableName]: { Keys: keys.slice(1), ConsistentRead: true },
    });
    expect(second.Responses?.[TableName]).toHaveLength(2);
    expect(second.UnprocessedKeys).toEqual({});
  });

  test('leaves its last entries unprocessed in a write, but never all', async () => {
    const keys = [newKey(), newKey()];
    const requests = keys.map((Item) => ({ PutRequest: { Item } }));
    table.proxy.faults.add({ fault: { kind: 'unprocessed', count: 9 } });

    const { UnprocessedItems } = await table.client.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: requests } }),
    );

    expect(UnprocessedItems).toEqual({ [TableName]: requests.slice(1) });
    const stored = await Promise.all(keys.map(({ pk, sk }) => table.stored(pk, sk)));
    expect(stored.map((item) => item !== undefined)).toEqual([true, false]);
  });
});

test('the DynamoDB proxy splits a query into pages of a forced size that are complete together', async () => {
  const { pk } = newKey();
  const items = [1, 2, 3, 4, 5].map((rank) => ({ pk, sk: String(rank), rank }));
  await Promise.all(items.map(put));
  table.proxy.faults.add({ operation: 'Query', fault: { kind: 'page', size: 2 } });
  const query = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    FilterExpression: '#rank > :low',
    ExpressionAttributeNames: { '#rank': 'rank' },
    ExpressionAttributeValues: { ':pk': pk, ':low': 2 },
  };
  const pages: (readonly [number | undefined, number | undefined])[] = [];
  let start: Record<string, unknown> | undefined;

  do {
    const page = await table.client.send(
      new QueryCommand({ ...query, ExclusiveStartKey: start, Limit: 4 }),
    );
    pages.push([page.Count, page.ScannedCount]);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);

  expect(pages).toEqual([
    [0, 2],
    [2, 2],
    [1, 1],
  ]);
});

test('the DynamoDB proxy applies a key prefix rule to puts, updates, transactions and queries of those keys', async () => {
  const key = newKey();
  table.proxy.faults.add({ keyPrefix: `${key.pk}/S`, fault: { kind: 'throttle' } });
  const calls = [
    () => put(key),
    () => table.client.send(new UpdateCommand({ TableName, Key: key })),
    () => putBoth(newKey(), key),
    () =>
      table.client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: '#pk = :pk and begins_with(sk, :sk)',
          ExpressionAttributeNames: { '#pk': 'pk' },
          ExpressionAttributeValues: { ':pk': key.pk, ':sk': 'S' },
        }),
      ),
  ];

  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
  }

  await expect(put(newKey())).resolves.toBeDefined();
});

test('two DynamoDB proxies with the same seed affect the same calls', async () => {
  const proxies = await Promise.all(
    [0, 0].map(() => startDynamoDbProxy({ target: table.proxy.endpoint, seed: 42 })),
  );
  const outcomes: string[] = [];

  for (const proxy of proxies) {
    const client = connect(proxy.endpoint);
    proxy.faults.add({ probability: 0.5, fault: { kind: 'error', when: 'before' } });
    let outcome = '';
    for (let call = 0; call < 30; call += 1) {
      outcome += await client.send(new GetCommand({ TableName, Key: newKey() })).then(
        () => '.',
        () => 'x',
      );
    }
    outcomes.push(outcome);
    client.destroy();
    await proxy.close();
  }

  expect(outcomes[0]).toBe(outcomes[1]);
  expect(outcomes[0]).toMatch(/x.*\.|\..*x/);
});
