import * as fc from 'fast-check';
import type { AttributeValue, Item } from '#scripts/dev/table/attribute-value.ts';
import { addNumbers, normalizeNumber } from '#scripts/dev/table/decimal.ts';

/** In the order of UTF-16 units, U+FFFF comes after characters above it. In UTF-8, it does not. */
const texts = ['a', 'ab', 'b', 'B', 'é', '\u0000', '\uffff', '😀', 'a😀'] as const;
const numbers = [
  ...[
    '0',
    '-0',
    '1',
    '1.0',
    '-1',
    '2',
    '10',
    '1e1',
    '1E+2',
    '0.1',
    '.5',
    '5.',
    '+7',
    '-1.50',
    '-2',
    '007',
  ],
  '9007199254740993',
  '99999999999999999999999999999999999999',
  '1234567890.1234567890123456789012345678',
  '9.9999999999999999999999999999999999999E+125',
  '-1E-130',
] as const;
const unstorableNumbers = [
  ...['', 'abc', 'NaN', 'Infinity', '1e', ' 1', '1_0', '0x1', '1E126', '-1E-131', '1e-500'],
  '123456789012345678901234567890123456789',
] as const;
const base64 = ['', 'YQ==', 'Yg==', '/w==', 'AA==', 'YWI='] as const;
const rejected: readonly object[] = [
  ...unstorableNumbers.map((N) => ({ N })),
  ...[{}, { S: 'a', N: '1' }, { NULL: false }, { SS: [] }, { SS: ['a', 'a'] }, { NS: ['x'] }],
  ...[{ NS: ['1', '1.0'] }, { BS: ['YQ==', 'YQ=='] }, { L: [{}] }, { M: { a: { N: '' } } }],
];

const text = fc.oneof(fc.constantFrom('', ...texts), fc.string({ unit: 'grapheme', maxLength: 4 }));
const randomNumber = fc
  .tuple(fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }), fc.integer({ min: -20, max: 20 }))
  .map(([digits, power]) => `${digits}e${power}`);
export const number = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...numbers) }, randomNumber);

/** Values of the types that can be compared with `<`. */
export const orderedValues: readonly fc.Arbitrary<AttributeValue>[] = [
  text.map((S) => ({ S })),
  number.map((N) => ({ N })),
  fc.constantFrom(...base64).map((B) => ({ B })),
];
export const orderedValue = fc.oneof(...orderedValues);

const otherValue: fc.Arbitrary<AttributeValue> = fc.oneof(
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true }),
  someOf(text).map((SS) => ({ SS })),
  someOf(fc.constantFrom('1', '2', '10', '-3.5')).map((NS) => ({ NS })),
  someOf(fc.constantFrom(...base64)).map((BS) => ({ BS })),
);

function someOf(elements: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  return fc.uniqueArray(elements, { minLength: 1, maxLength: 3 });
}

/** A value that DynamoDB stores. */
export const value: fc.Arbitrary<AttributeValue> = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 4, arbitrary: orderedValue },
    { weight: 2, arbitrary: otherValue },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 2 }).map((L) => ({ L })) },
    { weight: 3, arbitrary: nested(tie('value')).map((M) => ({ M })) },
  ),
})).value;

function nested(values: fc.Arbitrary<AttributeValue>): fc.Arbitrary<Item> {
  return fc.dictionary(fc.constantFrom('a', 'b', 'm'), values, { maxKeys: 2 });
}

export const rejectedValue = fc.constantFrom(...rejected);

const sortKeys: readonly string[] = ['a', 'b', 'c', 'c#', 'c\uffff', 'c😀', 'd', 'dé'];
export const partitionKey = fc.constantFrom('p', 'q');
export const sortKey = fc.constantFrom(...sortKeys);
export const key: fc.Arbitrary<Item> = fc
  .tuple(partitionKey, sortKey)
  .map(([pk, sk]) => ({ pk: { S: pk }, sk: { S: sk } }));

const first = { pk: { S: 'p' }, sk: { S: 'a' } };
export const rejectedKey = fc.constantFrom<object>(
  ...[{}, { pk: first.pk }, { ...first, sk: { N: '1' } }, { ...first, pk: { S: '' } }],
  ...[
    { ...first, sk: { S: '' } },
    { ...first, more: { S: 'a' } },
    { ...first, sk: {} },
  ],
);

/** The keys of some indexes. */
export const listed = {
  organizationId: fc.constantFrom('o', '😀').map((S) => ({ S })),
  list: fc.constantFrom('lead#0', 'lead#1').map((S) => ({ S })),
  id: fc.constantFrom('1', '2', '2😀', '2\uffff', '3').map((S) => ({ S })),
  status: fc.constantFrom('NEW', 'WON').map((S) => ({ S })),
  rank: fc.constantFrom('-1e3', '-1', '0', '1e20').map((N) => ({ N })),
} as const;
export const due = {
  duePk: fc.constant({ S: 'due' }),
  dueAt: fc.constantFrom('1', '2', '3').map((S) => ({ S })),
} as const;
/** Attributes that indexes project, or that the service treats specially. */
const usual = {
  contactId: fc.constantFrom('c', 'd').map((S) => ({ S })),
  expiresAtSeconds: fc.constantFrom('1', '99999999999').map((N) => ({ N })),
} as const;
const rejectedIndexKeys = fc.constantFrom<object>(
  ...[{ status: { S: '' } }, { status: { N: '1' } }, { rank: { S: '1' } }, { id: { NULL: true } }],
);

export const item: fc.Arbitrary<Item> = fc
  .tuple(
    key,
    fc.record(listed, { requiredKeys: ['organizationId', 'list', 'id'] }),
    fc.record(due),
    fc.record(usual, { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom('a', 'b', 'n', 'm', '__proto__'), value, { maxKeys: 4 }),
  )
  .chain(([own, inLists, inDue, ...others]) =>
    fc
      .subarray([withoutTies(own, inLists), withoutTies(own, inDue)])
      .map((indexed): Item => Object.assign({}, ...others.toReversed(), ...indexed, own)),
  );

/**
 * Makes the sort keys of an index different, because DynamoDB does not define the order of equal
 * ones.
 */
function withoutTies({ pk, sk }: Item, keys: Item): Item {
  const place = sortKeys.indexOf(sk?.S ?? '') * 2 + (pk?.S === 'p' ? 1 : 0);
  const unique = {
    id: { S: `${keys.id?.S}${place}` },
    dueAt: { S: `${keys.dueAt?.S}${place}` },
    value: { N: addNumbers(normalizeNumber(keys.value?.N ?? '0'), `0.${place + 11}`) },
  };

  return Object.fromEntries(
    Object.entries(keys).map(([name, given]) => [
      name,
      name in unique ? unique[name as 'id'] : given,
    ]),
  );
}

export const rejectedAttributes = fc.oneof(
  rejectedIndexKeys,
  rejectedValue.map((one) => ({ a: one })),
);
