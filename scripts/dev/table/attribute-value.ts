import { isDeepStrictEqual } from 'node:util';
import { compareNumbers, normalizeNumber, sortableNumber } from './decimal.ts';
import { invalid, malformed } from './table-error.ts';

/** A value in DynamoDB's JSON protocol. Binary values are base64 text. */
export type AttributeValue = {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
  readonly L?: readonly AttributeValue[];
  readonly M?: Item;
};

export type Item = { readonly [name: string]: AttributeValue };

export type ValueType = keyof AttributeValue;

/** Has no prototype, so that attributes can have names like `constructor` or `__proto__`. */
class Attributes {}
Object.setPrototypeOf(Attributes.prototype, null);
Reflect.deleteProperty(Attributes.prototype, 'constructor');

/**
 * Returns an item with the attributes of another one. An object from `Object.create(null)` would
 * need more memory.
 */
export function newItem(attributes?: Item): Record<string, AttributeValue> {
  return Object.assign(new Attributes(), attributes);
}

const maxDepth = 32;
const setNames = { SS: 'string', NS: 'number', BS: 'binary' } as const;

export function typeOf(value: AttributeValue): ValueType {
  for (const type in value) {
    return type as ValueType;
  }
  throw empty();
}

/** Returns a copy of an item with its values in DynamoDB's format. Throws if a value is invalid. */
export function checkedItem(item: Item): Item {
  return checkedMap(item, 0);
}

/** Returns the value in DynamoDB's format. Throws if it is invalid. */
export function checkedValue(value: AttributeValue, depth = 0): AttributeValue {
  const type = onlyTypeOf(value);
  switch (type) {
    case 'S':
      requireText(value.S);

      return value;
    case 'N':
      return { N: checkedNumber(value.N) };
    case 'B':
      return { B: checkedBinary(value.B) };
    case 'BOOL':
      if (typeof value.BOOL !== 'boolean') {
        throw malformed('A BOOL must be true or false');
      }

      return value;
    case 'NULL':
      if (value.NULL !== true) {
        throw invalid(
          'One or more parameter values were invalid: Null attribute value types must have the value of true',
        );
      }

      return value;
    case 'L':
      requireDepth(depth);

      return { L: requireList(value.L).map((element) => checkedValue(element, depth + 1)) };
    case 'M':
      requireDepth(depth);

      return { M: checkedMap(value.M, depth + 1) };
    case 'SS':
      return { SS: checkedSet(type, value.SS, checkedText) };
    case 'NS':
      return { NS: checkedSet(type, value.NS, checkedNumber) };
    case 'BS':
      return { BS: checkedSet(type, value.BS, checkedBinary) };
    default:
      throw empty();
  }
}

function onlyTypeOf(value: AttributeValue): ValueType {
  if (typeof value !== 'object' || value === null) {
    throw malformed('An attribute value must be an object');
  }
  const [type, other] = Object.keys(value);
  if (other !== undefined) {
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }

  return type as ValueType;
}

function checkedMap(map: Item | undefined, depth: number): Item {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw malformed('A map must be an object');
  }
  const checked = newItem();
  for (const name of Object.keys(map)) {
    checked[checkedText(name)] = checkedValue(map[name] as AttributeValue, depth);
  }

  return checked;
}

function checkedSet(
  type: 'SS' | 'NS' | 'BS',
  elements: readonly string[] | undefined,
  check: (element: string) => string,
): readonly string[] {
  const checked = requireList(elements).map(check);
  if (checked.length === 0) {
    throw invalid(
      `One or more parameter values were invalid: An ${setNames[type]} set  may not be empty`,
    );
  }
  if (new Set(checked).size < checked.length) {
    throw invalid(
      `One or more parameter values were invalid: Input collection [${checked.join(', ')}] contains duplicates`,
    );
  }

  // Sets have no order.
  return checked.sort();
}

function checkedNumber(number: string | undefined): string {
  return normalizeNumber(checkedText(number));
}

function checkedBinary(base64: string | undefined): string {
  return Buffer.from(checkedText(base64), 'base64').toString('base64');
}

function checkedText(text: string | undefined): string {
  requireText(text);

  return text;
}

/** A lone surrogate has no UTF-8 encoding, so it would change on its way to AWS. */
function requireText(text: string | undefined): asserts text is string {
  if (typeof text !== 'string' || !text.isWellFormed()) {
    throw malformed('A value must be a well-formed string');
  }
}

function requireList<T>(list: readonly T[] | undefined): readonly T[] {
  if (!Array.isArray(list)) {
    throw malformed('A list or a set must be an array');
  }

  return list;
}

function requireDepth(depth: number): void {
  if (depth + 1 >= maxDepth) {
    throw invalid(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
  }
}

function empty() {
  return invalid(
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  );
}

/** Compares two checked values. Their numbers and sets have only one form. */
export function isSame(
  one: AttributeValue | undefined,
  other: AttributeValue | undefined,
): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

/** Compares two values of the same scalar type. Returns undefined for other values. */
export function compareValues(one: AttributeValue, other: AttributeValue): number | undefined {
  if (one.N !== undefined && other.N !== undefined) {
    return compareNumbers(one.N, other.N);
  }
  const isComparable =
    (one.S !== undefined && other.S !== undefined) ||
    (one.B !== undefined && other.B !== undefined);
  if (!isComparable) {
    return undefined;
  }
  const [left, right] = [sortableText(one), sortableText(other)];

  return left === right ? 0 : left < right ? -1 : 1;
}

/** Returns a text that sorts in the same order as the value among values of its type. */
export function sortableText(value: AttributeValue): string {
  if (value.S !== undefined) {
    return sortableString(value.S);
  }
  if (value.N !== undefined) {
    return sortableNumber(value.N);
  }

  return Buffer.from(value.B ?? '', 'base64').toString('latin1');
}

const fromSurrogates = /[\ud800-\uffff]/g;

/**
 * DynamoDB compares the UTF-8 bytes of strings. JavaScript compares UTF-16 units, which sort
 * characters above U+FFFF before those from U+E000 on. This swaps the two groups.
 */
function sortableString(text: string): string {
  return text.replace(fromSurrogates, (unit) => {
    const code = unit.charCodeAt(0);

    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
