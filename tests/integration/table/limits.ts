import { type RawRequest, TableName } from './requests.ts';

const text = (bytes: number) => ({ S: 'x'.repeat(bytes) });
const keyOf = (pk: string, sk = 's') => ({ pk: { S: pk }, sk: { S: sk } });
const numbered = <T>(count: number, one: (pk: string) => T) =>
  Array.from({ length: count }, (_, index) => one(`p${index}`));

function put(Item: object): RawRequest {
  return { operation: 'PutItem', request: { TableName, Item } };
}

function set(pk: string, value: object, more: object = {}): RawRequest {
  const update = { UpdateExpression: 'SET v = :v', ExpressionAttributeValues: { ':v': value } };

  return { operation: 'UpdateItem', request: { TableName, Key: keyOf(pk), ...update, ...more } };
}

function transact(TransactItems: readonly object[]): RawRequest {
  return { operation: 'TransactWriteItems', request: { TransactItems } };
}

function inOneTransaction(items: readonly object[]): RawRequest {
  return transact(items.map((Item) => ({ Put: { TableName, Item } })));
}

function batchWrite(count: number): RawRequest {
  const entries = numbered(count, (pk) => ({ PutRequest: { Item: keyOf(pk) } }));

  return { operation: 'BatchWriteItem', request: { RequestItems: { [TableName]: entries } } };
}

function batchGet(keys: readonly object[]): RawRequest {
  return { operation: 'BatchGetItem', request: { RequestItems: { [TableName]: { Keys: keys } } } };
}

function query(more: object = {}): RawRequest {
  const condition = {
    KeyConditionExpression: 'pk = :p',
    ExpressionAttributeValues: { ':p': { S: 'p' } },
  };

  return { operation: 'Query', request: { TableName, ...condition, ...more } };
}

function conditioned(ConditionExpression: string): RawRequest {
  return { operation: 'PutItem', request: { TableName, Item: keyOf('p'), ConditionExpression } };
}

const nested = (levels: number) => JSON.parse(`${'{"L":['.repeat(levels)}${']}'.repeat(levels)}`);
const alternatives = (count: number) =>
  Array.from({ length: count }, () => 'attribute_exists(a)').join(' OR ');
const longName = (bytes: number) => `attribute_exists(${'a'.repeat(bytes - 18)})`;
const largeOnes = ['1', '2', '3', '4', '5'].map((sk) =>
  put({ ...keyOf('p', sk), v: text(256 * 1_024 - 7) }),
);

/** Requests on both sides of DynamoDB's limits, by limit. */
export const atTheLimits: readonly (readonly [string, readonly RawRequest[]])[] = [
  [
    'the size of an item',
    [0, 1].flatMap((more) => [
      put({ ...keyOf('p'), v: text(400 * 1_024 - 7 + more) }),
      put({ ...keyOf('p'), v: { L: [text(400 * 1_024 - 11 + more)] } }),
      put({ ...keyOf('p'), v: { M: { é: text(400 * 1_024 - 13 + more) } } }),
      put({ ...keyOf('p'), b: { BOOL: true }, n: { N: '-12.5' }, v: text(409_580 + more) }),
      put({ ...keyOf('p'), b: { NULL: true }, n: { N: '100' }, v: text(409_581 + more) }),
      set('p', text(400 * 1_024 - 7 + more)),
    ]),
  ],
  [
    'the size of keys',
    [0, 1].flatMap((more) => [
      put(keyOf('p'.repeat(2_048 + more))),
      put(keyOf('é'.repeat(1_024 + more))),
      put(keyOf('p', 's'.repeat(1_024 + more))),
      put({ ...keyOf('p'), status: text(2_048 + more) }),
      put({ ...keyOf('p'), id: text(1_024 + more) }),
      put({ ...keyOf('p'), organizationId: text(1_048), status: text(1_000 + more) }),
    ]),
  ],
  [
    'the levels of a value',
    [31, 32, 33].map((levels) => put({ ...keyOf('p'), v: nested(levels) })),
  ],
  [
    'the length of an expression and its operators',
    [
      ...[300, 301].map((count) => conditioned(alternatives(count))),
      ...[4_096, 4_097].map((bytes) => conditioned(longName(bytes))),
      ...[255, 256].map((bytes) => conditioned(longName(bytes + 18))),
    ],
  ],
  [
    'the number of items in a request',
    [
      ...[25, 26].map(batchWrite),
      ...[100, 101].map((count) => batchGet(numbered(count, (pk) => keyOf(pk)))),
      ...[100, 101].map((count) => inOneTransaction(numbered(count, (pk) => keyOf(pk)))),
      ...[batchWrite(0), batchGet([]), inOneTransaction([])],
    ],
  ],
  [
    'the size of a transaction',
    [10, 11].map((count) =>
      inOneTransaction(numbered(count, (pk) => ({ ...keyOf(pk), v: text(390_000) }))),
    ),
  ],
  [
    'the size of a page',
    [
      ...largeOnes,
      query(),
      query({ ScanIndexForward: false }),
      query({ Limit: 4 }),
      query({ FilterExpression: 'attribute_not_exists(v)' }),
      query({ ExclusiveStartKey: keyOf('p', '4') }),
      query({ Limit: 0 }),
    ],
  ],
  [
    'the length of a token',
    [36, 37].map((length) => ({
      operation: 'TransactWriteItems',
      request: {
        TransactItems: [{ Put: { TableName, Item: keyOf('p') } }],
        ClientRequestToken: 't'.repeat(length),
      },
    })),
  ],
];
