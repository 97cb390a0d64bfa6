import { beforeAll, describe, expect, test } from 'vitest';
import { createSmallDatabase, keyOf, type SmallDatabase, TableName } from './small-database.ts';

let database: SmallDatabase;

const item = {
  ...keyOf('p'),
  n: { N: '5' },
  text: { S: 'x' },
  big: { N: '12345678901234567890123456789012345678' },
  face: { S: '\u{1f600}' },
  priv: { S: '\u{e000}' },
  map: { M: { part: { N: '1.0' } } },
  rows: { L: [{ N: '1' }] },
  nothing: { NULL: true },
  set: { SS: ['b', 'a'] },
  constructor: { S: 'own' },
};

beforeAll(() => {
  database = createSmallDatabase();
  database.perform('PutItem', { Item: item });
});

function check(condition: string, values?: object, names?: object) {
  return database.perform('TransactWriteItems', {
    TransactItems: [
      {
        ConditionCheck: {
          TableName,
          Key: keyOf('p'),
          ConditionExpression: condition,
          ...(values && { ExpressionAttributeValues: values }),
          ...(names && { ExpressionAttributeNames: names }),
        },
      },
    ],
  });
}

const five = { ':v': { N: '5' } };
const six = { ':v': { N: '6' } };

// These results were compared with DynamoDB Local, row by row.
test.for<readonly [string, boolean, object?]>([
  ['n = :v', true, { ':v': { N: '5.0' } }],
  ['n = :v', false, { ':v': { S: '5' } }],
  ['n <> :v', true, { ':v': { S: '5' } }],
  ['n < :v', true, six],
  ['n < :v', false, { ':v': { S: '9' } }],
  ['NOT n < :v', true, five],
  ['n <= :v', true, five],
  ['n > :v', false, five],
  ['n >= :v', true, five],
  [':v < n', true, { ':v': { N: '4' } }],
  ['big > :v', true, { ':v': { N: '12345678901234567890123456789012345677' } }],
  ['big = :v', false, { ':v': { N: '12345678901234567890123456789012345677' } }],
  ['face > priv', true],
  ['missed = :v', false, five],
  ['missed <> :v', true, five],
  ['missed < :v', false, five],
  ['missed <> lost', true],
  ['missed = lost', false],
  ['n BETWEEN :a AND :b', true, { ':a': { N: '1' }, ':b': { N: '5' } }],
  ['n BETWEEN :a AND :b', false, { ':a': { S: '1' }, ':b': { S: '5' } }],
  ['missed BETWEEN :a AND :b', false, { ':a': { N: '1' }, ':b': { N: '5' } }],
  ['m.b = :v', false, five],
  ['map2.part = :v', false, { ':v': { N: '1' } }],
  ['n.part = :v', false, five],
  ['nothing = :v', true, { ':v': { NULL: true } }],
  ['attribute_exists(n)', true],
  ['attribute_not_exists(n)', false],
  ['attribute_not_exists(n.part)', true],
  ['n = :v OR n = :w AND n = :w', true, { ...five, ':w': { N: '7' } }],
  ['(n = :v OR n = :w) AND n = :w', false, { ...five, ':w': { N: '7' } }],
  ['NOT n = :w AND n = :v', true, { ...five, ':w': { N: '7' } }],
  ['NOT (n = :w OR n = :v)', false, { ...five, ':w': { N: '7' } }],
  ['n=:v and attribute_exists(pk)AND NOT(n<:v)', true, five],
])('the condition %s is %s', ([condition, isExpected, values]) => {
  const action = () => check(condition, values);

  if (isExpected) {
    expect(action()).toEqual({});
  } else {
    expect(action).toThrow('[ConditionalCheckFailed]');
  }
});

test.each([
  ['#a.#b', { '#a': 'map', '#b': 'part' }, { N: '1' }],
  ['#a', { '#a': 'map' }, { M: { part: { N: '1' } } }],
  ['#a', { '#a': 'rows' }, { L: [{ N: '1.00' }] }],
  ['#a', { '#a': 'set' }, { SS: ['a', 'b'] }],
  ['#a', { '#a': 'constructor' }, { S: 'own' }],
])('the condition %s with %j equals %j', (path, names, value) => {
  expect(check(`${path} = :v`, { ':v': value }, names)).toEqual({});
});

test.each(['toString', '__proto__', 'hasOwnProperty'])('a new item has no attribute %s', (name) => {
  expect(check('attribute_not_exists(#a)', undefined, { '#a': name })).toEqual({});
});

describe('rejected conditions', () => {
  test.for<readonly [string, string, object?, object?]>([
    ['', 'can not be empty'],
    ['n = ', 'Syntax error; token: "<EOF>"'],
    ['n == :v', 'Syntax error; token: "="', five],
    ['n :v', 'Syntax error; token: ":v"', five],
    ['n = :v AND', 'Syntax error; token: "<EOF>"', five],
    ['(n = :v', 'Syntax error; token: "<EOF>"', five],
    ['n = :v)', 'Syntax error; token: ")"', five],
    ['n ! :v', 'Syntax error', five],
    ['((n = :v))', 'redundant parentheses', five],
    ['NOT ((n = :v))', 'redundant parentheses', five],
    ['n = n', 'must be distinct'],
    ['status = :v', 'reserved keyword: status', five],
    ['n.value = :v', 'reserved keyword: value', five],
    ['map = :v', 'reserved keyword: map', five],
    ['foo(n)', 'Invalid function name; function: foo'],
    ['attribute_exists(:v)', 'requires a document path', five],
    ['n = :w', 'attribute value: :w', five],
    ['#n = :v', 'attribute name: #n', five],
    ['n = :v', 'unused in expressions: keys: {:w}', { ...five, ':w': { N: '1' } }],
    ['n = :v', 'unused in expressions: keys: {#w}', five, { '#w': 'w' }],
    ['n = :v', 'must not be empty', five, {}],
    ['attribute_exists(n)', 'must not be empty', {}],
    ['n = :v', 'contains invalid key', { ...five, w: { N: '1' } }],
    ['n = :v', 'for key :v', { ':v': { N: 'x' } }],
    ['n < :v', 'operand type: BOOL', { ':v': { BOOL: true } }],
    ['n BETWEEN :a AND :b', 'upper bound', { ':a': { N: '6' }, ':b': { N: '5' } }],
    ['n BETWEEN :a AND :b', 'same data type', { ':a': { N: '6' }, ':b': { S: '7' } }],
    [`n = :v${' AND n = :v'.repeat(150)}`, 'too many operators', five],
    [`n = :v${' '.repeat(4_096)}`, 'expression size: 4102', five],
  ])('%s', ([condition, message, values, names]) => {
    expect(() => check(condition, values, names)).toThrow(
      expect.objectContaining({
        name: 'ValidationException',
        message: expect.stringContaining(message),
      }),
    );
  });
});

// Expressions that the service does not use.
test.each([
  ['begins_with(n, :v)'],
  ['contains(n, :v)'],
  ['attribute_type(n, :v)'],
  ['size(n) > :v'],
  ['n IN (:v)'],
  ['items[0] = :v'],
])('a condition does not support %s', (condition) => {
  expect(() => check(condition, five)).toThrow('The development table does not support');
});
