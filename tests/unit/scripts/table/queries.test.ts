import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSmallDatabase, keyOf, type SmallDatabase, TableName } from './small-database.ts';

let database: SmallDatabase;

beforeAll(() => {
  database = createSmallDatabase();
});

function put(...items: readonly object[]): void {
  for (const Item of items) {
    database.perform('PutItem', { Item });
  }
}

function query(request: object) {
  return database.perform('Query', request);
}

/** Returns the sort keys of a query's items. */
function keysOf(request: object): readonly (string | undefined)[] {
  return (query(request).Items ?? []).map(({ sk }) => sk?.S);
}

describe('a range of a partition', () => {
  const inPartition = {
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': { S: 'p' } },
  };
  const within = (condition: string, values: object) => ({
    KeyConditionExpression: `pk = :p AND ${condition}`,
    ExpressionAttributeValues: { ':p': { S: 'p' }, ...values },
  });
  const between = (from: string, to: string) =>
    within('sk BETWEEN :from AND :to', { ':from': { S: from }, ':to': { S: to } });

  beforeAll(() => {
    put(...['d', 'b', 'c', 'a'].map((sk) => ({ ...keyOf('p', sk), n: { N: '1' } })), keyOf('q'));
  });

  test.each<readonly [string, object, string]>([
    ['all', inPartition, 'abcd'],
    ['backward', { ...inPartition, ScanIndexForward: false }, 'dcba'],
    ['between', between('b', 'c'), 'bc'],
    ['equal', within('sk = :a', { ':a': { S: 'b' } }), 'b'],
    ['below', within('sk < :a', { ':a': { S: 'b' } }), 'a'],
    ['at most', within('sk <= :a', { ':a': { S: 'b' } }), 'ab'],
    ['above', within('sk > :a', { ':a': { S: 'b' } }), 'cd'],
    ['at least', within('sk >= :a', { ':a': { S: 'b' } }), 'bcd'],
    ['in parentheses', { ...inPartition, KeyConditionExpression: '(pk = :p)' }, 'abcd'],
    ['after a key', { ...inPartition, ExclusiveStartKey: keyOf('p', 'b') }, 'cd'],
    ['after a key without an item', { ...inPartition, ExclusiveStartKey: keyOf('p', 'bb') }, 'cd'],
    [
      'backward after a key',
      { ...inPartition, ExclusiveStartKey: keyOf('p', 'c'), ScanIndexForward: false },
      'ba',
    ],
    [
      'between, after its first key',
      { ...between('b', 'c'), ExclusiveStartKey: keyOf('p', 'b') },
      'c',
    ],
    [
      'of a missing partition',
      { ...inPartition, ExpressionAttributeValues: { ':p': { S: 'none' } } },
      '',
    ],
  ])('%s', (_name, request, expected) => {
    expect(keysOf(request).join('')).toBe(expected);
  });

  test('ends a page at the limit, even if no items follow', () => {
    expect(query({ ...inPartition, Limit: 2 }).LastEvaluatedKey).toEqual(keyOf('p', 'b'));
    expect(query({ ...inPartition, Limit: 4 }).LastEvaluatedKey).toEqual(keyOf('p', 'd'));
    expect(query({ ...inPartition, Limit: 5 }).LastEvaluatedKey).toBeUndefined();
  });

  test.each<readonly [string, object, string]>([
    ['forward', between('b', 'c'), 'c'],
    ['backward', { ...between('b', 'c'), ScanIndexForward: false }, 'b'],
  ])('ends with the included end of a range, which is not a start (%s)', (_name, request, end) => {
    const last = query({ ...request, Limit: 2 });

    expect(last).toMatchObject({ Count: 2 });
    expect(last.LastEvaluatedKey).toBeUndefined();
    expect(() => query({ ...request, ExclusiveStartKey: keyOf('p', end) })).toThrow(
      'starting key does not match',
    );
  });

  test('counts filtered items', () => {
    const filtered = { ...within('sk < :a', { ':a': { S: 'd' } }), FilterExpression: 'n <> n2' };

    expect(query({ ...filtered, Limit: 2, Select: 'COUNT' })).toEqual({
      Count: 2,
      ScannedCount: 2,
      LastEvaluatedKey: keyOf('p', 'b'),
    });
    expect(query({ ...filtered, FilterExpression: 'n < n2' })).toMatchObject({
      Items: [],
      Count: 0,
      ScannedCount: 3,
    });
  });

  test('returns the requested attributes', () => {
    const [first] = query({ ...inPartition, ProjectionExpression: 'n, missed' }).Items ?? [];

    expect({ ...first }).toEqual({ n: { N: '1' } });
  });

  test.each<readonly [string, object, string]>([
    ['a limit of 0', { ...inPartition, Limit: 0 }, 'Limit'],
    ['no partition', within('pk = :p', {}), 'one condition per key'],
    [
      'a range of partitions',
      { ...inPartition, KeyConditionExpression: 'pk < :p' },
      'not supported',
    ],
    [
      'only a sort key',
      { ...inPartition, KeyConditionExpression: 'sk = :p' },
      'schema element: pk',
    ],
    ['another attribute', within('n = :p', {}), 'missed key schema element'],
    ['an inequality', within('sk <> :p', {}), 'Invalid operator'],
    [
      'an alternative',
      { ...inPartition, KeyConditionExpression: 'pk = :p OR sk = :p' },
      'Invalid operator',
    ],
    ['a negation', { ...inPartition, KeyConditionExpression: 'NOT pk = :p' }, 'Invalid operator'],
    [
      'two attributes',
      { ...inPartition, KeyConditionExpression: 'pk = sk AND sk = :p' },
      'Multiple attribute names',
    ],
    ['a value of another type', within('sk = :n', { ':n': { N: '1' } }), 'schema type'],
    ['an empty key', within('sk > :e', { ':e': { S: '' } }), 'empty string'],
    ['an empty range', between('c', 'b'), 'upper bound'],
    [
      'a start in another partition',
      { ...inPartition, ExclusiveStartKey: keyOf('q', 'a') },
      'starting key',
    ],
    [
      'a start below the range',
      { ...between('b', 'c'), ExclusiveStartKey: keyOf('p', 'a') },
      'starting key',
    ],
    [
      'a start above the range',
      { ...between('b', 'c'), ExclusiveStartKey: keyOf('p', 'd') },
      'starting key',
    ],
    ['an empty start', { ...inPartition, ExclusiveStartKey: keyOf('p', '') }, 'starting key'],
    ['half a start', { ...inPartition, ExclusiveStartKey: { pk: { S: 'p' } } }, 'starting key'],
    [
      'a filter on a key',
      { ...inPartition, FilterExpression: 'sk = :p' },
      'Primary key attribute: sk',
    ],
    ['a repeated projection', { ...inPartition, ProjectionExpression: 'n, n' }, 'overlap'],
    [
      'an unknown index',
      { ...inPartition, IndexName: 'none' },
      'does not have the specified index',
    ],
  ])('rejects %s', (_name, request, message) => {
    expect(() => query(request)).toThrow(
      expect.objectContaining({
        name: 'ValidationException',
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe('the order in the development table', () => {
  test('of strings is by UTF-8 bytes', () => {
    const texts = ['a', 'z', 'é', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}', '\u{1f600}'];
    put(...texts.toReversed().map((sk) => keyOf('utf8', sk)));

    expect(
      keysOf({
        KeyConditionExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': { S: 'utf8' } },
      }),
    ).toEqual(texts);
  });

  test('of numbers is by size', () => {
    const numbers = ['-1000', '-10.5', '-10', '-0.001', '0', '0.001', '2', '10', '1000'];
    const list = { organizationId: { S: 'o' }, list: { S: 'l' } };
    put(...numbers.toReversed().map((N) => ({ ...keyOf('n', N), ...list, rank: { N } })));

    expect(
      keysOf({
        IndexName: 'byRank',
        KeyConditionExpression: 'organizationId = :o AND #list = :l',
        ExpressionAttributeNames: { '#list': 'list' },
        ExpressionAttributeValues: { ':o': { S: 'o' }, ':l': { S: 'l' } },
      }),
    ).toEqual(numbers);
  });
});

describe('an index of the development table', () => {
  const row = (organization: string, list: string, id: string) => ({
    organizationId: { S: organization },
    list: { S: list },
    id: { S: id },
  });
  const rows = (organization: string, list: string) => ({
    IndexName: 'list',
    KeyConditionExpression: 'organizationId = :o AND #list = :l',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':o': { S: organization }, ':l': { S: list } },
  });

  test('distinguishes partitions whose keys have the same text when joined', () => {
    put(
      { ...keyOf('i', '1'), ...row('ab', 'c', '1') },
      { ...keyOf('i', '2'), ...row('a', 'bc', '1') },
    );

    expect(keysOf(rows('ab', 'c'))).toEqual(['1']);
    expect(keysOf(rows('a', 'bc'))).toEqual(['2']);
  });

  test('follows the changes of its keys', () => {
    const own = { ...keyOf('moving'), ...row('m', 'one', '1') };
    put(own);
    database.perform('UpdateItem', {
      Key: keyOf('moving'),
      UpdateExpression: 'SET #l = :l',
      ExpressionAttributeNames: { '#l': 'list' },
      ExpressionAttributeValues: { ':l': { S: 'two' } },
    });

    expect(keysOf(rows('m', 'one'))).toEqual([]);
    expect(keysOf(rows('m', 'two'))).toEqual(['s']);

    database.perform('UpdateItem', { Key: keyOf('moving'), UpdateExpression: 'REMOVE id' });
    expect(keysOf(rows('m', 'two'))).toEqual([]);

    put(own);
    database.perform('DeleteItem', { Key: keyOf('moving') });
    expect(keysOf(rows('m', 'one'))).toEqual([]);
  });

  test('returns its keys and projected attributes, also of an item that keeps its place', () => {
    put({ ...keyOf('seen'), ...row('p', 'l', '1'), contactId: { S: 'old' } });
    put({
      ...keyOf('seen'),
      ...row('p', 'l', '1'),
      contactId: { S: 'new' },
      name: { S: 'hidden' },
    });

    const [first] = query(rows('p', 'l')).Items ?? [];

    expect({ ...first }).toEqual({
      ...keyOf('seen'),
      ...row('p', 'l', '1'),
      contactId: { S: 'new' },
    });
  });

  test('continues between entries with the same sort key', () => {
    put(...['a', 'b', 'c'].map((sk) => ({ ...keyOf('t', sk), ...row('tie', 'l', 'same') })));
    const first = query({ ...rows('tie', 'l'), Limit: 2 });
    const { LastEvaluatedKey } = first;

    const second = query({ ...rows('tie', 'l'), ExclusiveStartKey: LastEvaluatedKey });

    expect(Object.keys(LastEvaluatedKey ?? {}).sort()).toEqual([
      'id',
      'list',
      'organizationId',
      'pk',
      'sk',
    ]);
    expect([...(first.Items ?? []), ...(second.Items ?? [])].map(({ sk }) => sk?.S)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test.each<readonly [string, object, string]>([
    ['consistent reads', { ...rows('o', 'l'), ConsistentRead: true }, 'Consistent reads'],
    [
      'a part of its keys',
      { ...rows('o', 'l'), KeyConditionExpression: 'organizationId = :o' },
      'list',
    ],
    [
      'a filter on its keys',
      { ...rows('o', 'l'), FilterExpression: 'id = :l' },
      'Primary key attribute: id',
    ],
    [
      'an attribute that it lacks',
      { ...rows('o', 'l'), ProjectionExpression: 'name2' },
      'does not project [name2]',
    ],
    [
      'a filter on an attribute that it lacks',
      { ...rows('o', 'l'), FilterExpression: 'attribute_exists(name2)' },
      'does not project [name2]',
    ],
  ])('rejects %s', (_name, request, message) => {
    expect(() => query(request)).toThrow(message);
  });
});

describe('a page of the development table', () => {
  test('ends with the item that makes it a megabyte', () => {
    // pk 2 + 5, sk 2 + 1, v 1: 11 bytes and the value.
    const quarter = { S: 'x'.repeat(256 * 1_024 - 11) };
    put(...['1', '2', '3', '4', '5'].map((sk) => ({ ...keyOf('large', sk), v: quarter })));
    const request = {
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'large' } },
      ReturnConsumedCapacity: 'TOTAL',
    };

    const first = query(request);

    expect(first).toMatchObject({
      Count: 4,
      LastEvaluatedKey: keyOf('large', '4'),
      ConsumedCapacity: { TableName, CapacityUnits: 128 },
    });
    expect(keysOf({ ...request, ExclusiveStartKey: first.LastEvaluatedKey })).toEqual(['5']);
  });
});

test('a scan of the development table returns every item once, page by page, while others are removed', () => {
  database = createSmallDatabase();
  const keys = Array.from({ length: 20 }, (_, index) => keyOf(`p${index % 7}`, `s${index}`));
  put(...keys);
  const found: string[] = [];
  let ExclusiveStartKey: object | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = database.perform('Scan', {
      Limit: 3,
      ExclusiveStartKey,
    });
    found.push(...Items.map(({ pk, sk }) => `${pk?.S}${sk?.S}`));
    for (const { pk, sk } of Items) {
      database.perform('DeleteItem', { Key: { pk, sk } });
    }
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);

  expect(found.sort()).toEqual(keys.map(({ pk, sk }) => `${pk.S}${sk.S}`).sort());
});

describe('the development table with a lag', () => {
  const dueAt = (pk: string, at: string) => ({ ...keyOf(pk), duePk: { S: 'd' }, dueAt: { S: at } });
  const due = {
    IndexName: 'due',
    KeyConditionExpression: 'duePk = :d',
    ExpressionAttributeValues: { ':d': { S: 'd' } },
  };
  const inTable = {
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': { S: 'b' } },
  };
  let seen = 0;

  function dueNow() {
    return (query(due).Items ?? []).map(({ pk, dueAt: at }) => `${pk?.S}${at?.S}`);
  }

  beforeEach(() => {
    seen = 0;
    database = createSmallDatabase({ lag: { now: () => 7, seen: (times) => seen * times.length } });
    put(dueAt('a', '1'), dueAt('b', '1'), dueAt('b', '2'));
  });

  test('hides changes that are not yet visible from an index, in their order', () => {
    expect(dueNow()).toEqual([]);
    seen = 2 / 3;
    expect(dueNow()).toEqual(['a1', 'b1']);
    seen = 1;
    expect(dueNow()).toEqual(['a1', 'b2']);
    database.perform('DeleteItem', { Key: keyOf('a') });
    seen = 0;
    expect(dueNow()).toEqual(['a1', 'b2']);
  });

  test('returns the current state only with consistent reads of the table', () => {
    expect(keysOf(inTable)).toEqual([]);
    expect(keysOf({ ...inTable, ConsistentRead: true })).toEqual(['s']);
    expect(database.perform('GetItem', { Key: keyOf('b') }).Item).toBeUndefined();
    expect(
      database.perform('GetItem', { Key: keyOf('b'), ConsistentRead: true }).Item,
    ).toMatchObject(dueAt('b', '2'));
  });

  test('returns the current state with all reads after settling', () => {
    database.settle();

    expect(dueNow()).toEqual(['a1', 'b2']);
    expect(keysOf(inTable)).toEqual(['s']);
  });
});
