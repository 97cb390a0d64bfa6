import type { AttributeValue, Item } from './wire.ts';

// DynamoDB's published overheads: 3 bytes for a list or map, 1 for each of its elements.
const containerBytes = 3;
const elementBytes = 1;

/** The bytes that DynamoDB counts for an item: the names and values of its attributes. */
export function itemSize(item: Item | undefined): number {
  return item === undefined ? 0 : attributesSize(item);
}

/** The bytes of one value, without its name. */
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

  // A set, or else a boolean or null, which take one byte.
  return setSize(value) ?? 1;
}

/** One byte for every two significant digits, and one more. */
export function numberSize(text: string): number {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[^0-9]/g, '').replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '').length;

  return Math.ceil(significant / 2) + 1;
}

function attributesSize(attributes: Item): number {
  return sum(
    Object.entries(attributes),
    ([name, value]) => Buffer.byteLength(name) + valueSize(value),
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
