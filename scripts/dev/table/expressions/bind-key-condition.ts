import { type AttributeValue, sortableText, typeOf } from '../attribute-value.ts';
import { invalid, unsupported } from '../table-error.ts';
import type { KeySchema } from '../table-schema.ts';
import { requireAscending } from './bind-condition.ts';
import type { Operand } from './operands.ts';
import { type Comparator, type Condition, parseCondition } from './parse-condition.ts';
import type { Placeholders } from './placeholders.ts';
import { remember } from './remember.ts';

/** The entries that a query may return: one partition, and a range of sortable texts within it. */
export type KeyRange = {
  readonly hashValues: readonly AttributeValue[];
  readonly low?: Bound;
  readonly high?: Bound;
  /** True for one sort key. */
  readonly isExact?: boolean;
};

export type Bound = { readonly text: string; readonly isIncluded: boolean };

type KeyTest = {
  readonly comparator: Exclude<Comparator, '<>'> | 'BETWEEN';
  readonly values: readonly [AttributeValue, ...AttributeValue[]];
};

const parse = remember(parseCondition);
const expressionName = 'KeyConditionExpression';

/** Parses the key condition of a query and checks it against the key of the table or index. */
export function bindKeyCondition(
  text: string,
  placeholders: Placeholders,
  key: KeySchema,
  types: ReadonlyMap<string, string>,
): KeyRange {
  const tests = new Map<string, KeyTest>();
  for (const [name, test] of testsIn(parse(text, expressionName), placeholders)) {
    if (tests.has(name)) {
      throw invalid('KeyConditionExpressions must only contain one condition per key');
    }
    tests.set(name, test);
  }
  const unknown = [...tests.keys()].find((name) => !key.keyNames.includes(name));
  const hashValues = key.hashNames.map((name) => requireEquality(name, tests.get(name)));
  if (unknown !== undefined) {
    throw invalid(`Query condition missed key schema element: ${key.rangeName ?? unknown}`);
  }
  for (const [name, { values }] of tests) {
    requireKeyValues(name, values, types.get(name));
  }
  const range = key.rangeName === undefined ? undefined : tests.get(key.rangeName);

  return { hashValues, ...(range && boundsOf(range)) };
}

function testsIn(
  condition: Condition,
  placeholders: Placeholders,
): ReadonlyArray<readonly [string, KeyTest]> {
  switch (condition.kind) {
    case 'AND':
      return [...testsIn(condition.left, placeholders), ...testsIn(condition.right, placeholders)];
    case 'compare': {
      if (condition.comparator === '<>') {
        throw invalidOperator('<>');
      }
      const { comparator, left, right } = condition;

      return [[nameIn(left, placeholders), { comparator, values: [valueIn(right, placeholders)] }]];
    }
    case 'between': {
      const [low, high] = [condition.low, condition.high].map((one) => valueIn(one, placeholders));
      const values = [low, high] as [AttributeValue, AttributeValue];
      requireAscending(...values, expressionName);

      return [[nameIn(condition.operand, placeholders), { comparator: 'BETWEEN', values }]];
    }
    case 'exists':
      throw invalidOperator(condition.isExpected ? 'attribute_exists' : 'attribute_not_exists');
    default:
      throw invalidOperator(condition.kind);
  }
}

function invalidOperator(operator: string) {
  return invalid(`Invalid operator used in KeyConditionExpression: ${operator}`);
}

function nameIn(operand: Operand, placeholders: Placeholders): string {
  if (operand.kind === 'value') {
    throw unsupported('a value on the left of a key condition');
  }
  const [name = '', ...nested] = placeholders.resolve(operand.path, expressionName);
  if (nested.length > 0) {
    throw invalid('KeyConditionExpressions cannot have conditions on nested attributes');
  }

  return name;
}

function valueIn(operand: Operand, placeholders: Placeholders): AttributeValue {
  if (operand.kind === 'path') {
    throw invalid(
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    );
  }

  return placeholders.valueOf(operand.name, expressionName);
}

function requireEquality(name: string, test: KeyTest | undefined): AttributeValue {
  if (test === undefined) {
    throw invalid(`Query condition missed key schema element: ${name}`);
  }
  if (test.comparator !== '=') {
    throw invalid('Query key condition not supported');
  }

  return test.values[0];
}

function requireKeyValues(
  name: string,
  values: readonly AttributeValue[],
  type: string | undefined,
): void {
  if (values.some((value) => typeOf(value) !== type)) {
    throw invalid(
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    );
  }
  if (values.some(({ S, B }) => S === '' || B === '')) {
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
}

function boundsOf({ comparator, values }: KeyTest): Omit<KeyRange, 'hashValues'> {
  const [first, last = first] = values.map(sortableText) as [string, string?];
  switch (comparator) {
    case '=':
    case 'BETWEEN':
      return {
        low: { text: first, isIncluded: true },
        high: { text: last, isIncluded: true },
        isExact: comparator === '=',
      };
    case '<':
    case '<=':
      return { high: { text: first, isIncluded: comparator === '<=' } };
    case '>':
    case '>=':
      return { low: { text: first, isIncluded: comparator === '>=' } };
  }
}
