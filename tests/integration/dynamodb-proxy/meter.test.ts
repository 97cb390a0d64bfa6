import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { scopeHeader } from '#scripts/dynamodb-proxy/meter.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { patiently } from '#tests/support/patience.ts';
import { connect, startProxiedTable, TableName } from './proxied-table.ts';

type Sendable = Parameters<DynamoDBDocumentClient['send']>[0];
type Command =
  | BatchGetCommand
  | BatchWriteCommand
  | DeleteCommand
  | GetCommand
  | PutCommand
  | QueryCommand
  | TransactWriteCommand
  | UpdateCommand;

const table = await startProxiedTable();

afterAll(async () => {
  await table.close();
});

function blockThread(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

const text = (bytes: number) => 'x'.repeat(bytes);

function measure(...commands: readonly Command[]) {
  return table.proxy.meter.measure(async () => {
    for (const command of commands) {
      // The client's types accept only one kind of command at a time.
      await table.client.send(command as Sendable);
    }
  });
}

async function store(...items: readonly Record<string, unknown>[]) {
  await Promise.all(items.map((Item) => table.client.send(new PutCommand({ TableName, Item }))));
}

describe('write units', () => {
  const due = { duePk: 'DUE#1', dueAt: '2030-01-01' };
  const set = (Key: Record<string, string>, expression: string, value?: unknown) =>
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: expression,
      ...(value === undefined ? {} : { ExpressionAttributeValues: { ':v': value } }),
    });
  const key = { pk: 'W', sk: '1' };
  // pk 2+1, sk 2+1, note 4+3000: 3010 bytes, 3 blocks of 1 KB.
  const large = { ...key, note: text(3_000) };
  const put = (Item: Record<string, unknown>) => new PutCommand({ TableName, Item });
  const remove = new DeleteCommand({ TableName, Key: key });

  test.each<[string, Record<string, unknown> | undefined, Command, number, number]>([
    ['a small put: 1', undefined, put(key), 1, 0],
    ['a put of 3 KB: 3', undefined, put(large), 3, 0],
    ['a put with an index entry: 1 + 1', undefined, put({ ...key, ...due }), 2, 1],
    ['a large put with a keys-only index entry: 3 + 1', undefined, put({ ...large, ...due }), 4, 1],
    ['a put that shrinks an item costs the larger size: 3', large, put(key), 3, 0],
    [
      'an unchanged put does not touch the index: 1',
      { ...key, ...due },
      put({ ...key, ...due }),
      1,
      0,
    ],
    ['an update of an absent item: 1', undefined, set(key, 'SET a = :v', 1), 1, 0],
    ['an update costs the whole item: 3', large, set(key, 'SET a = :v', 1), 3, 0],
    [
      'an update that shrinks an item costs the larger size: 3',
      large,
      set(key, 'REMOVE note'),
      3,
      0,
    ],
    [
      'an update that grows an item costs the larger size: 3',
      key,
      set(key, 'SET n = :v', text(3_000)),
      3,
      0,
    ],
    [
      'an update of a non-indexed attribute: 1',
      { ...key, ...due },
      set(key, 'SET a = :v', 1),
      1,
      0,
    ],
    ['a moved index entry: 1 + 2', { ...key, ...due }, set(key, 'SET dueAt = :v', '2031'), 3, 2],
    ['a removed index entry: 1 + 1', { ...key, ...due }, set(key, 'REMOVE duePk'), 2, 1],
    ['a delete costs the item and its index entry: 3 + 1', { ...large, ...due }, remove, 4, 1],
    ['a delete of an absent item: 1', undefined, remove, 1, 0],
  ])('%s', async (_name, before, command, writeUnits, indexWriteUnits) => {
    await table.client.send(remove);
    await store(...(before === undefined ? [] : [before]));

    const record = await measure(command);

    expect(record).toMatchObject({ callCount: 1, roundTrips: 1, readUnits: 0, writeUnits });
    expect(record.calls[0]).toMatchObject({ indexWriteUnits, keys: ['W/1'], outcome: 'ok' });
  });

  test('counts each entry of a batch: 3 + 1 for the put, 1 for deleting an absent item', async () => {
    const record = await measure(
      new BatchWriteCommand({
        RequestItems: {
          [TableName]: [
            { PutRequest: { Item: { ...large, ...due, sk: 'batch' } } },
            { DeleteRequest: { Key: { pk: 'W', sk: 'absent' } } },
          ],
        },
      }),
    );

    expect(record.writeUnits).toBe(5);
    expect(record.calls[0]?.itemWrites).toEqual([
      { key: 'W/batch', units: 3 },
      { key: 'W/absent', units: 1 },
    ]);
  });

  test('charges a failed condition for the larger of the stored and the new item', async () => {
    await store({ ...large, sk: 'stored' });
    const ConditionExpression = 'attribute_not_exists(pk)';
    const small = new PutCommand({
      TableName,
      Item: { pk: 'W', sk: 'stored' },
      ConditionExpression,
    });

    const record = await table.proxy.meter.measure(() =>
      expect(table.client.send(small)).rejects.toThrow('The conditional request failed'),
    );

    expect(record).toMatchObject({ callCount: 1, writeUnits: 3 });
    expect(record.calls[0]?.outcome).toBe('ConditionalCheckFailedException');
  });
});

describe('transactions', () => {
  const transaction = (token: string, condition: string) =>
    new TransactWriteCommand({
      ClientRequestToken: token,
      TransactItems: [
        { Put: { TableName, Item: { pk: 'T', sk: 'new', duePk: 'DUE#1', dueAt: '2030' } } },
        {
          ConditionCheck: {
            TableName,
            Key: { pk: 'T', sk: 'large' },
            ConditionExpression: condition,
          },
        },
        { Delete: { TableName, Key: { pk: 'T', sk: 'old' } } },
      ],
    });

  test('charges a write twice for the table and once for the index, and a check like a write', async () => {
    await store({ pk: 'T', sk: 'large', note: text(3_000) }, { pk: 'T', sk: 'old' });

    const record = await measure(transaction('first', 'attribute_exists(pk)'));

    // put 2 + index 1, check of 3 KB 6, delete 2
    expect(record).toMatchObject({ callCount: 1, writeUnits: 11, readUnits: 0 });
    expect(record.calls[0]?.keys).toEqual(['T/new', 'T/large', 'T/old']);
  });

  test('charges a check nothing for the index entries of its item', async () => {
    const indexed = { pk: 'T', sk: 'indexed', duePk: 'DUE#1', dueAt: '2030' };
    await store(indexed);
    const TransactItems = [
      {
        ConditionCheck: {
          TableName,
          Key: { pk: indexed.pk, sk: indexed.sk },
          ConditionExpression: 'attribute_exists(pk)',
        },
      },
    ];

    const record = await measure(new TransactWriteCommand({ TransactItems }));

    expect(record.writeUnits).toBe(2);
  });

  test('charges a repeated token a transactional read of each item', async () => {
    await store({ pk: 'T', sk: 'large', note: text(3_000) }, { pk: 'T', sk: 'old' });
    await table.client.send(transaction('again', 'attribute_exists(pk)'));

    const record = await measure(transaction('again', 'attribute_exists(pk)'));

    expect(record).toMatchObject({ callCount: 1, writeUnits: 0, readUnits: 6 });
  });

  test('charges a canceled transaction its table units', async () => {
    await table.client.send(new DeleteCommand({ TableName, Key: { pk: 'T', sk: 'new' } }));
    await store({ pk: 'T', sk: 'large', note: text(3_000) }, { pk: 'T', sk: 'old' });

    const record = await table.proxy.meter.measure(() =>
      expect(
        table.client.send(transaction('refused', 'attribute_not_exists(pk)')),
      ).rejects.toMatchObject({ name: 'TransactionCanceledException' }),
    );

    // put 2, check of 3 KB 6, delete 2
    expect(record.writeUnits).toBe(10);
  });
});

describe('read units', () => {
  const Key = { pk: 'R', sk: 'large' };

  test.each<[string, Command, number]>([
    ['5 KB, eventually consistent: 1', new GetCommand({ TableName, Key }), 1],
    ['5 KB, strongly consistent: 2', new GetCommand({ TableName, Key, ConsistentRead: true }), 2],
    [
      'a projection costs the whole item: 1',
      new GetCommand({ TableName, Key, ProjectionExpression: 'pk' }),
      1,
    ],
    ['an absent item: 0.5', new GetCommand({ TableName, Key: { pk: 'R', sk: 'absent' } }), 0.5],
    [
      'a batch rounds up each item, present or not: 1 + 0.5 + 0.5',
      new BatchGetCommand({
        RequestItems: {
          [TableName]: { Keys: [Key, { pk: 'R', sk: 'small' }, { pk: 'R', sk: 'absent' }] },
        },
      }),
      2,
    ],
  ])('%s', async (_name, command, readUnits) => {
    await store({ ...Key, note: text(5_000) }, { pk: 'R', sk: 'small' });

    const record = await measure(command);

    expect(record).toMatchObject({ callCount: 1, readUnits, writeUnits: 0 });
  });

  describe('of a query', () => {
    const query = {
      TableName,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': 'Q' },
    };
    const filter = {
      ...query,
      FilterExpression: '#kind = :kind',
      ExpressionAttributeNames: { '#pk': 'pk', '#kind': 'kind' },
      ExpressionAttributeValues: { ':pk': 'Q', ':kind': 'none' },
    };

    beforeAll(async () => {
      // Per item: pk 2+1, sk 2+1, note 4+990, duePk 5+3, dueAt 5+1: 1014 bytes.
      const keys = Array.from({ length: 10 }, (_, index) => ({ pk: 'Q', sk: String(index) }));
      const rest = { note: text(990), duePk: 'DUE', dueAt: '1' };
      await store(...keys.map((key) => ({ ...key, ...rest })));
    });

    // 10,140 bytes are 3 blocks of 4 KB.
    test.each<[string, Command, number]>([
      ['all, eventually consistent: 1.5', new QueryCommand(query), 1.5],
      ['all, consistent: 3', new QueryCommand({ ...query, ConsistentRead: true }), 3],
      ['filtered items: 1.5', new QueryCommand(filter), 1.5],
      ['a projection: 1.5', new QueryCommand({ ...query, ProjectionExpression: 'sk' }), 1.5],
      ['a count: 1.5', new QueryCommand({ ...query, Select: 'COUNT' }), 1.5],
      ['a page of two with a filter: 0.5', new QueryCommand({ ...filter, Limit: 2 }), 0.5],
      [
        'no items: 0.5',
        new QueryCommand({ ...query, ExpressionAttributeValues: { ':pk': 'absent' } }),
        0.5,
      ],
      [
        'a keys-only index costs its entries: 0.5',
        new QueryCommand({
          TableName,
          IndexName: 'due',
          KeyConditionExpression: 'duePk = :due',
          ExpressionAttributeValues: { ':due': 'DUE' },
        }),
        0.5,
      ],
    ])('%s', async (_name, command, readUnits) => {
      const record = await measure(command);

      expect(record).toMatchObject({ callCount: 1, readUnits, writeUnits: 0 });
    });
  });
});

describe('round trips and scopes', () => {
  const get = (sk: string) => new GetCommand({ TableName, Key: { pk: 'S', sk } });

  test('counts concurrent calls as one round trip and sequential calls separately', async () => {
    const record = await table.proxy.meter.measure(async () => {
      await Promise.all(['1', '2', '3'].map((sk) => table.client.send(get(sk))));
      await table.client.send(get('4'));
    });

    expect(record).toMatchObject({ callCount: 4, roundTrips: 2, readUnits: 2 });
  });

  test('counts concurrent calls as one round trip even when the process stalls in between', async () => {
    const { target } = table;
    const slow = await startDynamoDbProxy({ target, meteredLatencyMs: 1_000 });
    const [metered, unmetered] = [connect(slow.endpoint), connect(target)];
    const record = await slow.meter.measure(async () => {
      const first = metered.send(get('1'));
      // By then, the first call has its response, but the proxy delays it.
      for (let call = 0; call < 6; call += 1) {
        await unmetered.send(get('1'));
      }
      blockThread(1_100);
      await Promise.all([first, metered.send(get('2'))]);
    });
    metered.destroy();
    unmetered.destroy();
    await slow.close();

    expect(record).toMatchObject({ callCount: 2, roundTrips: 1 });
  });

  test('reports operation, keys and sizes of each call', async () => {
    const record = await measure(get('shown'));

    expect(record.calls[0]).toMatchObject({
      operation: 'GetItem',
      keys: ['S/shown'],
      requestBytes: JSON.stringify(rawGet('shown')).length,
      responseBytes: '{}'.length,
      readUnits: 0.5,
    });
  });

  test('meters callers with a scope separately from the current one', async () => {
    const scoped = connect(table.proxy.endpoint);
    scoped.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: object }).headers, { [scopeHeader]: 'apart' });

        return next(args);
      },
      { step: 'build' },
    );

    const record = await table.proxy.meter.measure(async () => {
      await scoped.send(get('1'));
      await table.client.send(get('2'));
    });
    scoped.destroy();

    expect(record.calls.map((call) => call.keys)).toEqual([['S/2']]);
    expect(table.proxy.meter.record('apart').calls.map((call) => call.keys)).toEqual([['S/1']]);
    table.proxy.meter.forget('apart');
    expect(table.proxy.meter.record('apart').callCount).toBe(0);
  });

  test('rejects a second concurrent measurement', async () => {
    await expect(
      table.proxy.meter.measure(() => table.proxy.meter.measure(async () => {})),
    ).rejects.toThrow(
      'A measurement is already running. Use the x-meter-scope header for concurrent ones.',
    );
  });

  test('counts a throttled call without cost', async () => {
    table.proxy.faults.add({ fault: { kind: 'throttle' } });

    const record = await table.proxy.meter.measure(() =>
      expect(table.client.send(get('1'))).rejects.toThrow('throughput'),
    );
    table.proxy.faults.clear();

    expect(record).toMatchObject({ callCount: 1, roundTrips: 1, readUnits: 0 });
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('counts a call aborted %s it was applied as %i', async (when, writeUnits) => {
    table.proxy.faults.add({ fault: { kind: 'delay', when, delayMs: 60_000 } });
    const put = new PutCommand({ TableName, Item: { pk: 'S', sk: when } });

    const giveUp = new AbortController();
    const record = await table.proxy.meter.measure(async () => {
      const pending = table.client.send(put, { abortSignal: giveUp.signal });
      await vi.waitFor(() => expect(table.proxy.faults.hits()).toHaveLength(1), patiently);
      giveUp.abort();
      await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    });
    table.proxy.faults.clear();

    expect(record).toMatchObject({ callCount: 1, writeUnits });
    expect(record.calls[0]?.outcome).toBe('nothing');
  });

  function rawGet(sk: string) {
    return { TableName, Key: { pk: { S: 'S' }, sk: { S: sk } } };
  }
});
