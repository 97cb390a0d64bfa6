import { type AttributeValue, type Item, newItem } from '../attribute-value.ts';
import { addNumbers } from '../decimal.ts';
import { invalid, unsupported } from '../table-error.ts';
import type { Path } from './operands.ts';
import { parseUpdate } from './parse-update.ts';
import type { Placeholders } from './placeholders.ts';
import { remember } from './remember.ts';

type Action = {
  readonly path: Path;
  /** Returns the new value, or undefined to remove the attribute. */
  readonly change: (before: AttributeValue | undefined) => AttributeValue | undefined;
};

const parse = remember(parseUpdate);
const expressionName = 'UpdateExpression';

/** Parses an update, checks it, and returns a function that applies it to a copy of an item. */
export function bindUpdate(
  text: string,
  placeholders: Placeholders,
  keyNames: readonly string[],
): (item: Item) => Item {
  const { set, remove, add } = parse(text, expressionName);
  const resolve = (path: Path) => placeholders.resolve(path, expressionName);
  const actions: readonly Action[] = [
    ...set.map(({ path, value }) => {
      const constant = placeholders.valueOf(value, expressionName);

      return { path: resolve(path), change: () => constant };
    }),
    ...remove.map((path) => ({ path: resolve(path), change: () => undefined })),
    ...add.map(({ path, value }) => {
      const amount = requireNumber(placeholders.valueOf(value, expressionName));

      return { path: resolve(path), change: adding(amount) };
    }),
  ];
  requireApart(actions.map(({ path }) => path));
  requireNoKey(actions, keyNames);

  return (item) => {
    const copy = newItem(item);
    for (const action of actions) {
      apply(copy, action);
    }

    return copy;
  };
}

function requireNumber(value: AttributeValue): string {
  if (value.N !== undefined) {
    return value.N;
  }
  if (value.SS ?? value.NS ?? value.BS) {
    throw unsupported('ADD to a set');
  }
  throw invalid(
    'Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD',
  );
}

function adding(amount: string): Action['change'] {
  return (before) => {
    if (before !== undefined && before.N === undefined) {
      throw invalid('An operand in the update expression has an incorrect data type');
    }

    return { N: addNumbers(before?.N ?? '0', amount) };
  };
}

/** No path may be a part of another one. */
function requireApart(paths: readonly Path[]): void {
  for (const [index, one] of paths.entries()) {
    const other = paths.slice(index + 1).find((path) => isOverlap(one, path));
    if (other) {
      throw invalid(
        `Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [${one.join(', ')}], path two: [${other.join(', ')}]`,
      );
    }
  }
}

function isOverlap(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);

  return one.slice(0, length).every((part, index) => part === other[index]);
}

function requireNoKey(actions: readonly Action[], keyNames: readonly string[]): void {
  const key = actions.map(({ path: [name = ''] }) => name).find((name) => keyNames.includes(name));
  if (key !== undefined) {
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${key}. This attribute is part of the key`,
    );
  }
}

/** Changes the map itself, and copies of the maps in it. */
function apply(map: Record<string, AttributeValue>, { path, change }: Action): void {
  const [name = '', ...rest] = path;
  const value = rest.length === 0 ? change(map[name]) : applyWithin(map[name], rest, change);
  if (value === undefined) {
    delete map[name];
  } else {
    map[name] = value;
  }
}

function applyWithin(
  value: AttributeValue | undefined,
  path: Path,
  change: Action['change'],
): AttributeValue {
  if (value?.M === undefined) {
    throw invalid('The document path provided in the update expression is invalid for update');
  }
  const copy = newItem(value.M);
  apply(copy, { path, change });

  return { M: copy };
}
