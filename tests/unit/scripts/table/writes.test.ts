import { beforeEach, describe, expect, it, test } from 'vitest';
import { createSmallDatabase, keyOf, type SmallDatabase, TableName } from './small-database.ts';

let database: SmallDatabase;
let nowMs: number;

beforeEach(() => {
  nowMs = 1_000_000;
  database = createSmallDatabase({ now: () => nowMs });
});

function stored(pk: string) {
  return database.perform('GetItem', { Key: keyOf(pk) }).Item;
}

function put(Item: object, more: object = {}) {
  return database.perform('PutItem', { Item, ...more });
}

const text = (bytes: number) => ({ S: 'x'.repeat(bytes) });

describe('an item of the development table', () => {
  test.each<readonly [string, object]>([
    ['400 KB', { ...keyOf('p'), v: text(400 * 1_024 - 7) }],
    ['a partition key of 2,048 bytes', keyOf('p'.repeat(2_048))],
    ['a sort key of 1,024 bytes', keyOf('p', 's'.repeat(1_024))],
    [
      'every type',
      { ...keyOf('p'), b: { B: 'YQ==' }, e: { S: '' }, l: { L: [{ M: {} }] }, s: { BS: ['YQ=='] } },
    ],
  ])('may have %s', (_name, item) => {
    expect(put(item)).toEqual({});
  });

  test.each<readonly [string, object, string]>([
    ['more than 400 KB', { ...keyOf('p'), v: text(400 * 1_024 - 6) }, 'Item size'],
    ['no sort key', { pk: { S: 'p' } }, 'Missing the key sk'],
    ['a key of another type', { pk: { N: '1' }, sk: { S: 's' } }, 'Type mismatch for key pk'],
    ['an empty key', keyOf(''), 'empty string value. Key: pk'],
    ['a partition key over 2,048 bytes', keyOf('p'.repeat(2_049)), 'hashkey'],
    ['a sort key over 1,024 bytes', keyOf('p', 's'.repeat(1_025)), 'range keys'],
    ['an index key of another type', { ...keyOf('p'), status: { NULL: true } }, 'Index Key status'],
    ['an empty index key', { ...keyOf('p'), status: { S: '' } }, 'IndexKey: status'],
    [
      'index keys over 2,048 bytes together',
      { ...keyOf('p'), status: text(1_100), organizationId: text(1_000) },
      'hashkey',
    ],
    ['two types for a value', { ...keyOf('p'), v: { S: 'a', N: '1' } }, 'more than one datatypes'],
    ['no type for a value', { ...keyOf('p'), v: {} }, 'is empty'],
    ['an empty set', { ...keyOf('p'), v: { SS: [] } }, 'may not be empty'],
    ['an element of a set twice', { ...keyOf('p'), v: { NS: ['1', '1.0'] } }, 'duplicates'],
    ['a NULL that is false', { ...keyOf('p'), v: { NULL: false } }, 'Null attribute'],
    [
      'more than 32 levels',
      { ...keyOf('p'), v: JSON.parse(`${'{"L":['.repeat(33)}${']}'.repeat(33)}`) },
      'Nesting',
    ],
  ])('may not have %s', (_name, item, message) => {
    expect(() => put(item)).toThrow(
      expect.objectContaining({
        name: 'ValidationException',
        message: expect.stringContaining(message),
      }),
    );
  });

  test.each([{ v: { S: 5 } }, { v: { S: '\ud800' } }, { v: 'text' }, { v: { L: {} } }])(
    'is malformed with %j',
    (attributes) => {
      expect(() => put({ ...keyOf('p'), ...attributes })).toThrow(
        expect.objectContaining({ name: 'SerializationException' }),
      );
    },
  );

  it('keeps attributes with the names of object properties', () => {
    const strange = '"constructor":{"S":"c"},"__proto__":{"S":"p"}';
    const item = `{"pk":{"S":"p"},"sk":{"S":"s"},${strange},"m":{"M":{${strange}}}}`;
    put(JSON.parse(item));

    expect(JSON.stringify(stored('p'))).toBe(item);
  });
});

describe('a failed condition of the development table', () => {
  const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  const named = { name: 'ConditionalCheckFailedException' };

  it('does not change the item, and returns it on request', () => {
    put({ ...keyOf('p'), v: { S: 'first' } });

    expect(() => put(keyOf('p'), isNew)).toThrow(
      expect.objectContaining({ ...named, details: {} }),
    );
    expect(() =>
      put(keyOf('p'), { ...isNew, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ).toThrow(expect.objectContaining({ ...named, details: { Item: stored('p') } }));
    expect({ ...stored('p') }).toEqual({ ...keyOf('p'), v: { S: 'first' } });
  });

  it('has the same result for a missing item', () => {
    for (const operation of ['DeleteItem', 'UpdateItem']) {
      expect(() =>
        database.perform(operation, {
          Key: keyOf('none'),
          ConditionExpression: 'attribute_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ).toThrow(expect.objectContaining({ ...named, details: {} }));
    }
    expect(stored('none')).toBeUndefined();
  });
});

describe('a batch of the development table', () => {
  const putRequest = (Item: object) => ({ PutRequest: { Item } });
  const write = (requests: readonly object[]) =>
    database.perform('BatchWriteItem', { RequestItems: { [TableName]: requests } });
  const read = (Keys: readonly object[]) =>
    database.perform('BatchGetItem', { RequestItems: { [TableName]: { Keys } } });

  it('writes and reads several items', () => {
    put(keyOf('gone'));
    write([putRequest(keyOf('new')), { DeleteRequest: { Key: keyOf('gone') } }]);

    expect(read([keyOf('new'), keyOf('gone')])).toEqual({
      Responses: { [TableName]: [expect.objectContaining(keyOf('new'))] },
      UnprocessedKeys: {},
    });
  });

  it('writes nothing if an entry is invalid', () => {
    expect(() => write([putRequest(keyOf('new')), putRequest({})])).toThrow('Missing the key pk');
    expect(stored('new')).toBeUndefined();
  });

  it('leaves keys unprocessed if the response would exceed 16 MB', () => {
    const keys = Array.from({ length: 45 }, (_, index) => keyOf(`large${index}`));
    for (const key of keys) {
      put({ ...key, v: text(400_000) });
    }

    expect(read(keys)).toMatchObject({
      Responses: { [TableName]: { length: 41 } },
      UnprocessedKeys: { [TableName]: { Keys: keys.slice(41) } },
    });
  });

  test.each<readonly [string, () => unknown, string]>([
    ['the same key twice in a read', () => read([keyOf('a'), keyOf('a')]), 'duplicates'],
    [
      'the same key twice in a write',
      () => write([putRequest(keyOf('a')), { DeleteRequest: { Key: keyOf('a') } }]),
      'duplicates',
    ],
    [
      'more than 100 keys',
      () => read(Array.from({ length: 101 }, (_, index) => keyOf(`${index}`))),
      'Too many items',
    ],
    [
      'more than 25 writes',
      () => write(Array.from({ length: 26 }, (_, index) => putRequest(keyOf(`${index}`)))),
      'Too many items',
    ],
    ['nothing to read', () => read([]), 'must have some requests'],
    ['nothing to write', () => write([]), 'null or empty'],
    [
      'both in an entry',
      () => write([{ ...putRequest(keyOf('a')), DeleteRequest: { Key: keyOf('b') } }]),
      'either',
    ],
  ])('rejects %s', (_name, act, message) => {
    expect(act).toThrow(message);
  });
});

describe('a transaction of the development table', () => {
  const Put = (pk: string, more: object = {}) => ({ Put: { TableName, Item: keyOf(pk), ...more } });
  const check = (pk: string, ConditionExpression: string, more: object = {}) => ({
    ConditionCheck: { TableName, Key: keyOf(pk), ConditionExpression, ...more },
  });
  const update = (pk: string, UpdateExpression: string) => ({
    Update: {
      TableName,
      Key: keyOf(pk),
      UpdateExpression,
      ExpressionAttributeValues: { ':v': { N: '1' } },
    },
  });
  const write = (TransactItems: readonly object[], more: object = {}) =>
    database.perform('TransactWriteItems', { TransactItems, ...more });

  it('applies everything', () => {
    put(keyOf('gone'));
    put(keyOf('checked'));

    write([
      Put('new'),
      { Delete: { TableName, Key: keyOf('gone') } },
      update('counted', 'ADD n :v'),
      check('checked', 'attribute_exists(pk)'),
    ]);

    expect([stored('new'), stored('counted')?.n, stored('gone'), stored('checked')]).toEqual([
      expect.objectContaining(keyOf('new')),
      { N: '1' },
      undefined,
      expect.objectContaining(keyOf('checked')),
    ]);
  });

  it('applies nothing if something fails, and gives a reason for each item', () => {
    put({ ...keyOf('p'), word: { S: 'w' } });
    const withItem = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };

    expect(() =>
      write([
        Put('new'),
        check('p', 'attribute_not_exists(pk)', withItem),
        check('none', 'attribute_exists(pk)', withItem),
        update('q', 'SET word.a = :v'),
      ]),
    ).toThrow(
      expect.objectContaining({
        name: 'TransactionCanceledException',
        message:
          'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed, ValidationError]',
        details: {
          CancellationReasons: [
            { Code: 'None' },
            { ...failed, Item: stored('p') },
            failed,
            { Code: 'ValidationError', Message: expect.stringContaining('document path') },
          ],
        },
      }),
    );
    expect(stored('new')).toBeUndefined();
  });

  it('is applied once for each token, for ten minutes', () => {
    const items = [update('counted', 'ADD n :v')];
    const token = { ClientRequestToken: 'token' };
    write(items, token);
    nowMs += 600_000;
    write(items, token);
    expect(stored('counted')?.n).toEqual({ N: '1' });
    expect(() => write([Put('other')], token)).toThrow(
      expect.objectContaining({ name: 'IdempotentParameterMismatchException' }),
    );

    nowMs += 1;
    write(items, token);
    expect(stored('counted')?.n).toEqual({ N: '2' });
  });

  it('may be repeated with its token after a failure', () => {
    const items = [check('p', 'attribute_exists(pk)'), update('counted', 'ADD n :v')];
    const token = { ClientRequestToken: 'token' };
    expect(() => write(items, token)).toThrow('ConditionalCheckFailed');
    put(keyOf('p'));

    write(items, token);

    expect(stored('counted')?.n).toEqual({ N: '1' });
  });

  it('costs twice as much as its writes, and a transactional read if it is repeated', () => {
    const Item = { ...keyOf('c'), duePk: { S: 'd' }, dueAt: { S: 't' } };
    const items = [{ Put: { TableName, Item } }, check('p', 'attribute_not_exists(pk)')];
    const request = { ClientRequestToken: 'token', ReturnConsumedCapacity: 'TOTAL' };
    const costs = (CapacityUnits: number) => ({ ConsumedCapacity: [{ TableName, CapacityUnits }] });

    // Two writes, twice, and one index entry.
    expect(write(items, request)).toEqual(costs(5));
    expect(write(items, request)).toEqual(costs(4));
  });

  test.each<readonly [string, readonly object[], string]>([
    ['nothing', [], 'between 1 and 100'],
    [
      'more than 100 items',
      Array.from({ length: 101 }, (_, index) => Put(`${index}`)),
      'between 1 and 100',
    ],
    [
      'an item twice',
      [Put('a'), check('a', 'attribute_exists(pk)')],
      'multiple operations on one item',
    ],
    [
      'two actions in an entry',
      [{ ...Put('a'), ...check('b', 'attribute_exists(pk)') }],
      'only contain one',
    ],
    [
      'more than 4 MB',
      Array.from({ length: 11 }, (_, index) =>
        Put('', { Item: { ...keyOf(`${index}`), v: text(390_000) } }),
      ),
      '4MB',
    ],
    ['a wrong expression', [update('a', 'SET')], 'Syntax error'],
  ])('rejects %s', (_name, items, message) => {
    expect(() => write(items)).toThrow(
      expect.objectContaining({
        name: 'ValidationException',
        message: expect.stringContaining(message),
      }),
    );
  });
});

test('the development table removes items that expired in the last five years', () => {
  nowMs = Date.UTC(2030, 0, 1);
  const seconds = nowMs / 1_000;
  const expiring = { now: seconds - 1, later: seconds + 1, ancient: seconds - 6 * 365 * 86_400 };
  for (const [pk, at] of Object.entries(expiring)) {
    put({ ...keyOf(pk), expiresAtSeconds: { N: String(at) } });
  }
  put({ ...keyOf('text'), expiresAtSeconds: { S: '1' } });
  put(keyOf('lasting'));

  database.removeExpired();

  const { Items = [] } = database.perform('Scan');
  expect(Items.map(({ pk }) => pk?.S).sort()).toEqual(['ancient', 'lasting', 'later', 'text']);
});

describe('a request that the development table does not support', () => {
  test.each<readonly [string, object]>([
    ['TransactGetItems', { TransactItems: [] }],
    ['ExecuteStatement', { Statement: 'SELECT' }],
    ['toString', {}],
    ['PutItem', { Item: keyOf('p'), Expected: {} }],
    ['PutItem', { Item: keyOf('p'), ReturnValues: 'ALL_NEW' }],
    ['UpdateItem', { Key: keyOf('p'), ReturnValues: 'UPDATED_NEW' }],
    ['GetItem', { Key: keyOf('p'), AttributesToGet: ['a'] }],
    ['GetItem', { Key: keyOf('p'), ReturnConsumedCapacity: 'INDEXES' }],
    ['GetItem', { Key: keyOf('p'), ProjectionExpression: 'a.b' }],
    ['Scan', { TotalSegments: 2, Segment: 0 }],
    ['Scan', { IndexName: 'due' }],
    ['Scan', { Select: 'ALL_ATTRIBUTES' }],
    ['TransactWriteItems', { TransactItems: [{ Get: {} }] }],
  ])('fails for %s with %j', (operation, request) => {
    expect(() => database.perform(operation, request)).toThrow(
      expect.objectContaining({ name: 'NotSupportedByTheDevelopmentTable' }),
    );
  });

  test.each<readonly [string, object, string]>([
    ['GetItem', {}, 'ValidationException'],
    ['GetItem', { Key: [] }, 'SerializationException'],
    ['GetItem', { Key: keyOf('p'), ConsistentRead: 'yes' }, 'SerializationException'],
    ['GetItem', { Key: { pk: { S: 'p' } } }, 'ValidationException'],
    ['GetItem', { Key: keyOf('p'), TableName: 'none' }, 'ResourceNotFoundException'],
    [
      'CreateTable',
      { KeySchema: [], AttributeDefinitions: [], BillingMode: 'PAY_PER_REQUEST' },
      'ResourceInUseException',
    ],
    [
      'UpdateTimeToLive',
      { TimeToLiveSpecification: { Enabled: true, AttributeName: 'a' } },
      'ValidationException',
    ],
  ])('reports %s with %j as %s', (operation, request, name) => {
    expect(() => database.perform(operation, request)).toThrow(expect.objectContaining({ name }));
  });
});
