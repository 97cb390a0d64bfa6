import type { AttributeValue, Item } from './attribute-value.ts';

// DynamoDB's documented overhead: 3 bytes per list or map, 1 per element.
const containerBytes = 3;
const elementBytes = 1;

const known = new WeakMap<Item, number>();

/**
 * An item's size as DynamoDB counts it: attribute names and values. Each item is measured once,
 * because items never change.
 */
export function itemSize(item: Item | undefined): number {
  if (item === undefined) {
    return 0;
  }
  const size = known.get(item) ?? attributesSize(item);
  known.set(item, size);

  return size;
}

/** The size of a value without its name. */
export function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) {
    return Buffer.byteLength(value.S);
  }
  if (value.N !== undefined) {
    return numberSize(value.N);
  }
  if (value.B !== undefined) {
    return binarySize(value.B);
  }
  if (value.L !== undefined) {
    return containerBytes + sum(value.L, (element) => elementBytes + valueSize(element));
  }
  if (value.M !== undefined) {
    return containerBytes + attributesSize(value.M) + elementBytes * Object.keys(value.M).length;
  }

  // A set, or a boolean or null, which takes one byte.
  return setSize(value) ?? 1;
}

/** One byte per two significant digits, plus one. */
export function numberSize(text: string): number {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[^0-9]/g, '').replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '').length;

  return Math.ceil(significant / 2) + 1;
}

function attributesSize(attributes: Item): number {
  return sum(
    Object.keys(attributes),
    (name) => Buffer.byteLength(name) + valueSize(attributes[name] ?? {}),
  );
}

function setSize({ SS, NS, BS }: AttributeValue): number | undefined {
  if (SS !== undefined) {
    return sum(SS, (text) => Buffer.byteLength(text));
  }
  if (NS !== undefined) {
    return sum(NS, numberSize);
  }

  return BS === undefined ? undefined : sum(BS, binarySize);
}

function binarySize(base64: string): number {
  return Buffer.from(base64, 'base64').length;
}

function sum<T>(values: readonly T[], sizeOf: (value: T) => number): number {
  return values.reduce((total, value) => total + sizeOf(value), 0);
}
