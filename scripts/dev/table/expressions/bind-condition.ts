import {
  type AttributeValue,
  compareValues,
  type Item,
  isSame,
  typeOf,
} from '../attribute-value.ts';
import { invalid } from '../table-error.ts';
import type { Operand, Path } from './operands.ts';
import { type Comparator, type Condition, parseCondition } from './parse-condition.ts';
import type { Placeholders } from './placeholders.ts';
import { remember } from './remember.ts';

/** Tests an item, or a missing one. */
type Predicate = (item: Item | undefined) => boolean;

export type BoundCondition = {
  readonly holds: Predicate;
  /** The attributes that the condition uses. */
  readonly names: ReadonlySet<string>;
};

type Bound = {
  readonly read: (item: Item | undefined) => AttributeValue | undefined;
  /** The value of a placeholder. */
  readonly constant?: AttributeValue;
  readonly path?: Path;
};

const parse = remember(parseCondition);
const inOrder: ReadonlySet<string> = new Set(['S', 'N', 'B']);

const always: BoundCondition = { holds: () => true, names: new Set() };

/** Parses a condition, if there is one, and checks its placeholders and operands. */
export function bindCondition(
  text: string | undefined,
  expressionName: string,
  placeholders: Placeholders,
): BoundCondition {
  if (text === undefined) {
    return always;
  }
  const names = new Set<string>();
  const holds = bind(parse(text, expressionName), { expressionName, placeholders, names });

  return { holds, names };
}

type Context = {
  readonly expressionName: string;
  readonly placeholders: Placeholders;
  readonly names: Set<string>;
};

function bind(condition: Condition, context: Context): Predicate {
  switch (condition.kind) {
    case 'AND': {
      const [left, right] = [bind(condition.left, context), bind(condition.right, context)];

      return (item) => left(item) && right(item);
    }
    case 'OR': {
      const [left, right] = [bind(condition.left, context), bind(condition.right, context)];

      return (item) => left(item) || right(item);
    }
    case 'NOT': {
      const inner = bind(condition.inner, context);

      return (item) => !inner(item);
    }
    case 'exists': {
      const path = resolve(condition.path, context);

      return (item) => (valueAt(item, path) !== undefined) === condition.isExpected;
    }
    case 'between':
      return bindBetween(condition, context);
    case 'compare':
      return bindComparison(condition, context);
  }
}

function bindComparison(
  { comparator, left, right }: Extract<Condition, { kind: 'compare' }>,
  context: Context,
): Predicate {
  const [one, other] = [bindOperand(left, context), bindOperand(right, context)];
  requireDistinct(comparator, one, other, context);
  if (comparator === '=') {
    return (item) => isSame(one.read(item), other.read(item)) && one.read(item) !== undefined;
  }
  if (comparator === '<>') {
    // Also true if an attribute is missing.
    return (item) => one.read(item) === undefined || !isSame(one.read(item), other.read(item));
  }
  for (const operand of [one, other]) {
    requireInOrder(operand, comparator, context);
  }

  return (item) => isOrdered(comparator, one.read(item), other.read(item));
}

function isOrdered(
  comparator: Exclude<Comparator, '=' | '<>'>,
  one: AttributeValue | undefined,
  other: AttributeValue | undefined,
): boolean {
  const order = one && other && compareValues(one, other);
  if (order === undefined) {
    return false;
  }
  switch (comparator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function bindBetween(
  { operand, low, high }: Extract<Condition, { kind: 'between' }>,
  context: Context,
): Predicate {
  const [middle, lower, upper] = [operand, low, high].map((one) => bindOperand(one, context)) as [
    Bound,
    Bound,
    Bound,
  ];
  for (const bound of [middle, lower, upper]) {
    requireInOrder(bound, 'BETWEEN', context);
  }
  if (lower.constant && upper.constant) {
    requireAscending(lower.constant, upper.constant, context.expressionName);
  }

  return (item) =>
    isOrdered('>=', middle.read(item), lower.read(item)) &&
    isOrdered('<=', middle.read(item), upper.read(item));
}

export function requireAscending(
  low: AttributeValue,
  high: AttributeValue,
  expressionName: string,
): void {
  const operands = `lower bound operand: AttributeValue: ${show(low)}, upper bound operand: AttributeValue: ${show(high)}`;
  if (typeOf(low) !== typeOf(high)) {
    throw invalid(
      `Invalid ${expressionName}: The BETWEEN operator requires same data type for lower and upper bounds; ${operands}`,
    );
  }
  if (Number(compareValues(low, high)) > 0) {
    throw invalid(
      `Invalid ${expressionName}: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${operands}`,
    );
  }
}

function show(value: AttributeValue): string {
  return `{${typeOf(value)}:${value[typeOf(value)]}}`;
}

function bindOperand(operand: Operand, context: Context): Bound {
  if (operand.kind === 'value') {
    const constant = context.placeholders.valueOf(operand.name, context.expressionName);

    return { read: () => constant, constant };
  }
  const path = resolve(operand.path, context);

  return { read: (item) => valueAt(item, path), path };
}

function resolve(path: Path, { placeholders, expressionName, names }: Context): Path {
  const resolved = placeholders.resolve(path, expressionName);
  names.add(resolved[0] ?? '');

  return resolved;
}

function valueAt(item: Item | undefined, [first = '', ...rest]: Path): AttributeValue | undefined {
  return rest.reduce<AttributeValue | undefined>((value, name) => value?.M?.[name], item?.[first]);
}

function requireDistinct(
  comparator: string,
  one: Bound,
  other: Bound,
  { expressionName }: Context,
): void {
  if (one.path && one.path.join('.') === other.path?.join('.')) {
    throw invalid(
      `Invalid ${expressionName}: The first operand must be distinct from the remaining operands for this operator or function; operator: ${comparator}, first operand: [${one.path.join(', ')}]`,
    );
  }
}

function requireInOrder({ constant }: Bound, operator: string, { expressionName }: Context): void {
  if (constant && !inOrder.has(typeOf(constant))) {
    throw invalid(
      `Invalid ${expressionName}: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeOf(constant)}`,
    );
  }
}
