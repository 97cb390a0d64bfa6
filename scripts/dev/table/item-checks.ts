import { type AttributeValue, checkedItem, type Item, typeOf } from './attribute-value.ts';
import { itemSize, valueSize } from './item-size.ts';
import type { StoredTable } from './stored-table.ts';
import { invalid } from './table-error.ts';
import { type KeySchema, pickAttributes } from './table-schema.ts';

const maxItemBytes = 400 * 1_024;
const maxHashBytes = 2_048;
const maxRangeBytes = 1_024;

/** Returns a key in DynamoDB's format. Throws if it is not a key of the table. */
export function checkedKey(table: StoredTable, key: Item): Item {
  const { keyNames } = table.schema;
  const checked = checkedItem(key);
  const isMatch =
    Object.keys(checked).length === keyNames.length &&
    keyNames.every((name) => checked[name] && typeOf(checked[name]) === table.types.get(name));
  if (!isMatch) {
    throw invalid('The provided key element does not match the schema');
  }
  requireKeySize(table.schema, checked);

  return checked;
}

/** Returns a new item in DynamoDB's format. Throws if the table can't store it. */
export function checkedNewItem(table: StoredTable, item: Item): Item {
  const checked = checkedItem(item);
  for (const name of table.schema.keyNames) {
    const value = checked[name];
    if (value === undefined) {
      throw invalid(
        `One or more parameter values were invalid: Missing the key ${name} in the item`,
      );
    }
    if (typeOf(value) !== table.types.get(name)) {
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${table.types.get(name)} actual: ${typeOf(value)}`,
      );
    }
  }
  requireKeySize(table.schema, checked);
  requireIndexable(table, checked);
  if (itemSize(checked) > maxItemBytes) {
    throw invalid('Item size has exceeded the maximum allowed size');
  }

  return checked;
}

/** Throws if the table can't store the item that results from an update. */
export function requireStorable(table: StoredTable, item: Item): void {
  requireIndexable(table, item);
  if (itemSize(item) > maxItemBytes) {
    throw invalid('Item size to update has exceeded the maximum allowed size');
  }
}

function requireKeySize(schema: KeySchema, item: Item): void {
  for (const name of schema.keyNames) {
    if (isEmpty(item[name])) {
      throw invalid(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
      );
    }
  }
  requireSizes(schema, item);
}

/** Checks the attributes that are keys of indexes. They may be missing. */
function requireIndexable({ schema, types }: StoredTable, item: Item): void {
  for (const index of schema.indexes) {
    for (const name of index.keyNames) {
      const value = item[name];
      if (value === undefined) {
        continue;
      }
      if (typeOf(value) !== types.get(name)) {
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${types.get(name)} Actual: ${typeOf(value)} IndexName: ${index.name}`,
        );
      }
      if (isEmpty(value)) {
        throw invalid(
          `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index.name}, IndexKey: ${name}`,
        );
      }
    }
    requireSizes(index, item);
  }
}

export function isEmpty(value: AttributeValue | undefined): boolean {
  return value?.S === '' || value?.B === '';
}

function requireSizes({ hashNames, rangeName }: KeySchema, item: Item): void {
  const bytes = hashNames.reduce((sum, name) => sum + sizeOf(item[name]), 0);
  if (bytes > maxHashBytes) {
    throw invalid(
      `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of ${maxHashBytes} bytes`,
    );
  }
  if (rangeName !== undefined && sizeOf(item[rangeName]) > maxRangeBytes) {
    throw invalid(
      `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${maxRangeBytes} bytes`,
    );
  }
}

function sizeOf(value: AttributeValue | undefined): number {
  return value === undefined ? 0 : valueSize(value);
}

export function keyOf(table: StoredTable, item: Item): Item {
  return pickAttributes(item, table.schema.keyNames);
}
