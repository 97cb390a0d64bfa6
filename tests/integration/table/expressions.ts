import * as fc from 'fast-check';
import {
  type AttributeValue,
  checkedValue,
  compareValues,
} from '#scripts/dev/table/attribute-value.ts';
import { number, orderedValue, orderedValues, value } from './values.ts';

/** The text of an expression, with the names and values of its placeholders. */
export type Expression = {
  readonly text: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
};

type Part = Expression | string;

export function join(parts: readonly Part[], separator = ' '): Expression {
  const all = parts.map((part) => (typeof part === 'string' ? plain(part) : part));

  return {
    text: all.map(({ text }) => text).join(separator),
    names: Object.assign({}, ...all.map(({ names }) => names)),
    values: Object.assign({}, ...all.map(({ values }) => values)),
  };
}

function plain(text: string): Expression {
  return { text, names: {}, values: {} };
}

/** A dotted path, with placeholders for its names. */
function path(dotted: string): Expression {
  const parts = dotted.split('.');

  return {
    text: parts.map((part) => `#${part}`).join('.'),
    names: Object.fromEntries(parts.map((part) => [`#${part}`, part])),
    values: {},
  };
}

function constant(placeholder: string, one: AttributeValue): Expression {
  return { text: placeholder, names: {}, values: { [placeholder]: one } };
}

/** Random placeholders, so that different parts of a request don't share them. */
const placeholder = fc.nat(1_000_000_000).map((id) => `:v${id}`);

function constants(values: fc.Arbitrary<AttributeValue>): fc.Arbitrary<Expression> {
  return fc.tuple(placeholder, values).map(([name, one]) => constant(name, one));
}

const testedPath = fc.oneof(
  fc.constantFrom('a', 'b', 'n', 'm.a', 'm.m.b', 'value', 'expiresAtSeconds').map(path),
  fc.constantFrom('a', 'n', 'm.a').map(plain),
);
const other = fc.constant(path('c'));

/** Bounds in the wrong order are rejected, so most are in order. */
function between(sorted: Part, values: fc.Arbitrary<AttributeValue>): fc.Arbitrary<Expression> {
  return fc.tuple(placeholder, values, placeholder, values).map(([low, one, high, another]) => {
    const order = compareValues(checkedValue(one), checkedValue(another));
    const [from, to] = order !== undefined && order > 0 ? [another, one] : [one, another];

    return join([sorted, 'BETWEEN', constant(low, from), 'AND', constant(high, to)]);
  });
}

/** A condition on attributes that are not keys of the table. */
export const condition: fc.Arbitrary<Expression> = fc.letrec<{ condition: Expression }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc
      .tuple(testedPath, fc.constantFrom('=', '<>'), fc.oneof(constants(value), other))
      .map((parts) => join(parts)),
    fc
      .tuple(
        testedPath,
        fc.constantFrom('<', '<=', '>', '>='),
        fc.oneof(constants(orderedValue), other),
      )
      .map((parts) => join(parts)),
    fc
      .tuple(testedPath, fc.constantFrom(...orderedValues))
      .chain(([one, values]) => between(one, values)),
    fc
      .tuple(fc.constantFrom('attribute_exists(', 'attribute_not_exists('), testedPath)
      .map(([start, one]) => join([start, one, ')'])),
    fc
      .tuple(tie('condition'), fc.constantFrom('AND', 'OR', 'AND NOT', 'or'), tie('condition'))
      .map(([left, sign, right]) => join(['(', left, sign, right, ')'])),
  ),
})).condition;

const changedPath = fc.constantFrom('a', 'b', 'm', 'm.a', 'm.m.a', 'contactId', 'duePk').map(path);
const assignment = fc.tuple(changedPath, constants(value)).map(([one, to]) => ({
  section: 'SET',
  part: join([one, '=', to]),
}));
const removal = changedPath.map((part) => ({ section: 'REMOVE', part }));
const addition = fc
  .tuple(fc.constantFrom('n', 'o', 'm.n').map(path), constants(number.map((N) => ({ N }))))
  .map((parts) => ({ section: 'ADD', part: join(parts) }));

/** Few paths of an update overlap, because DynamoDB rejects those. */
export const update: fc.Arbitrary<Expression> = fc
  .uniqueArray(fc.oneof(assignment, removal, addition), {
    maxLength: 4,
    selector: ({ part }) => part.text.split(' ')[0],
  })
  .map((actions) => {
    const sections = Map.groupBy(actions, ({ section }) => section);

    return join(
      [...sections].map(([section, own]) =>
        join([
          section,
          join(
            own.map(({ part }) => part),
            ', ',
          ),
        ]),
      ),
    );
  });

export const projection: fc.Arbitrary<Expression> = fc
  .uniqueArray(fc.constantFrom('pk', 'sk', 'a', 'm', 'value', '__proto__'), { minLength: 1 })
  .map((names) => join(names.map(path), ', '));

/** The projected attributes of the index `byRank`, on which its filters may depend. */
export const projectedCondition = fc.oneof(
  fc
    .tuple(fc.constant(path('contactId')), fc.constant('='), constants(value))
    .map((parts) => join(parts)),
  fc.constant(join(['attribute_exists(', path('contactId'), ')'])),
);

/** The part of a key condition for a partition. */
export function partition(keys: Readonly<Record<string, AttributeValue>>): Expression {
  const parts = Object.entries(keys).map(([name, one]) =>
    join([path(name), '=', constant(`:${name}`, one)]),
  );

  return join(parts, ' AND ');
}

/** The part of a key condition for a range of sort keys, which may be missing. */
export function range(
  name: string,
  values: fc.Arbitrary<AttributeValue>,
): fc.Arbitrary<Expression | undefined> {
  const comparison = fc
    .tuple(fc.constantFrom('=', '<', '<=', '>', '>='), constants(values))
    .map(([sign, one]) => join([path(name), sign, one]));

  return fc.option(fc.oneof(comparison, between(path(name), values)), { nil: undefined });
}

const brokenConditions = [
  ...['', ' ', 'a', 'a =', '= :x', 'a = = b', '(a = b', 'a = b)', '((a = b))', 'a = a', 'NOT'],
  ...['attribute_exists()', 'Attribute_exists(a)', 'attribute_exists(a, b)', 'nope(a)', 'a ! b'],
  ...['name = a', 'a = :missing', '#missing = a', 'a AND b', 'a BETWEEN b', 'a = b;', 'a..b = c'],
] as const;
const brokenUpdates = [
  ...['', 'SET', 'SET a', 'SET a = :missing', 'REMOVE', 'REMOVE a,', 'ADD a', 'ADD a b', 'FOO a'],
  ...['REMOVE a REMOVE b', 'REMOVE a, a', 'REMOVE m, m.a', 'REMOVE name', 'REMOVE pk', 'REMOVE sk'],
] as const;
const brokenProjections = ['', 'a,', 'name', 'a, a', 'a b', '#missing'] as const;

/** Fields with expressions that DynamoDB rejects. */
export const brokenExpressions = fc.oneof(
  fc.constantFrom(...brokenConditions).map((ConditionExpression) => ({ ConditionExpression })),
  fc.constantFrom(...brokenConditions).map((FilterExpression) => ({ FilterExpression })),
  fc.constantFrom(...brokenConditions).map((text) => ({ KeyConditionExpression: text })),
  fc.constantFrom(...brokenUpdates).map((UpdateExpression) => ({ UpdateExpression })),
  fc.constantFrom(...brokenProjections).map((text) => ({ ProjectionExpression: text })),
);
