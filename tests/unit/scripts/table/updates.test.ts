import { beforeEach, describe, expect, test } from 'vitest';
import { createSmallDatabase, keyOf, type SmallDatabase } from './small-database.ts';

let database: SmallDatabase;

const item = {
  ...keyOf('p'),
  n: { N: '5' },
  word: { S: 'x' },
  nested: { M: { a: { N: '1' }, b: { S: 'b' } } },
};

beforeEach(() => {
  database = createSmallDatabase();
  database.perform('PutItem', { Item: item });
});

function update(expression: string, values?: object, names?: object, key = keyOf('p')) {
  return database.perform('UpdateItem', {
    Key: key,
    UpdateExpression: expression,
    ReturnValues: 'ALL_NEW',
    ...(values && { ExpressionAttributeValues: values }),
    ...(names && { ExpressionAttributeNames: names }),
  }).Attributes;
}

const one = { ':v': { N: '1' } };

// These results were compared with DynamoDB Local, row by row. It keeps trailing zeros of an
// updated number, unlike AWS.
test.for<readonly [string, object, object?, object?]>([
  ['SET n = :v', { n: { N: '1' } }, { ':v': { N: '1.00' } }],
  [
    'set n = :v remove word add amount :v',
    { n: { N: '1' }, word: undefined, amount: { N: '1' } },
    one,
  ],
  ['SET nested.a = :v, nested.c = :v', { nested: { M: { ...item.nested.M, c: { N: '1' } } } }, one],
  ['REMOVE nested.a, missed', { nested: { M: { b: { S: 'b' } } } }],
  ['ADD n :v', { n: { N: '5.1' } }, { ':v': { N: '0.1' } }],
  ['ADD amount :v', { amount: { N: '-2.5' } }, { ':v': { N: '-2.50' } }],
  ['ADD nested.a :v', { nested: { M: { ...item.nested.M, a: { N: '2' } } } }, one],
  [
    'SET #a.#b = :v',
    { nested: { M: { a: { N: '1' }, b: { N: '1' } } } },
    one,
    { '#a': 'nested', '#b': 'b' },
  ],
  ['SET #a = :v', { list: { S: 'l' } }, { ':v': { S: 'l' } }, { '#a': 'list' }],
])('the update %s', ([expression, changed, values, names]) => {
  const expected = { ...item, ...changed };

  expect({ ...update(expression, values, names) }).toEqual(expected);
  expect({ ...database.perform('GetItem', { Key: keyOf('p') }).Item }).toEqual(expected);
});

test('an update creates a missing item', () => {
  expect({ ...update('REMOVE n', undefined, undefined, keyOf('new')) }).toEqual(keyOf('new'));
});

describe('rejected updates', () => {
  test.for<readonly [string, string, object?]>([
    ['', 'can not be empty'],
    ['SET', 'Syntax error'],
    ['SET n', 'Syntax error'],
    ['SET n = :v,', 'Syntax error', one],
    ['n = :v', 'Syntax error', one],
    ['SET n = :v SET a = :v', '"SET" section can only be used once', one],
    ['SET n = :v, n = :v', 'overlap', one],
    ['SET n = :v REMOVE n', 'overlap', one],
    ['SET nested.a = :v REMOVE nested', 'overlap', one],
    ['SET pk = :v', 'part of the key', { ':v': { S: 'p' } }],
    ['REMOVE sk', 'part of the key'],
    ['SET value = :v', 'reserved keyword', one],
    ['SET missed.a = :v', 'document path', one],
    ['SET n.a = :v', 'document path', one],
    ['REMOVE missed.a', 'document path'],
    ['ADD missed.a :v', 'document path', one],
    ['ADD word :v', 'incorrect data type', one],
    ['ADD n :v', 'Incorrect operand type', { ':v': { S: '1' } }],
    ['ADD n :v', '38 significant digits', { ':v': { N: `0.${'1'.repeat(38)}` } }],
    ['SET stageId = :v', 'Type mismatch for Index Key', { ':v': { N: '1' } }],
    ['SET dueAt = :v', 'empty string value', { ':v': { S: '' } }],
    ['SET a = :v', 'Item size to update', { ':v': { S: 'x'.repeat(400 * 1_024) } }],
  ])('the update %s', ([expression, message, values]) => {
    expect(() => update(expression, values)).toThrow(
      expect.objectContaining({
        name: 'ValidationException',
        message: expect.stringContaining(message),
      }),
    );
    expect({ ...database.perform('GetItem', { Key: keyOf('p') }).Item }).toEqual(item);
  });
});

// Expressions that the service does not use.
test.for<readonly [string, object?]>([
  ['SET n = word'],
  ['SET n = n + :v', one],
  ['SET n = if_not_exists(n, :v)', one],
  ['SET n = list_append(n, :v)', one],
  ['DELETE n :v', one],
  ['ADD n :v', { ':v': { SS: ['a'] } }],
  ['REMOVE items[0]'],
])('an update does not support %s', ([expression, values]) => {
  expect(() => update(expression, values)).toThrow('The development table does not support');
});
