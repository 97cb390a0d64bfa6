import { isDeepStrictEqual } from 'node:util';
import type { Item } from './attribute-value.ts';
import { itemSize } from './item-size.ts';
import { type IndexSchema, indexEntry, type TableSchema } from './table-schema.ts';

export type Consistency = 'eventual' | 'strong' | 'transactional';

const readBlockBytes = 4_096;
const writeBlockBytes = 1_024;
const unitsPerReadBlock = { eventual: 0.5, strong: 1, transactional: 2 } as const;

/** Returns the read units of this many bytes. A missing or empty item costs one block. */
export function readUnits(bytes: number, consistency: Consistency): number {
  return Math.max(1, Math.ceil(bytes / readBlockBytes)) * unitsPerReadBlock[consistency];
}

/** Returns the write units outside of a transaction. Writing nothing costs one block. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / writeBlockBytes));
}

/**
 * Write units of the table's indexes for one change of an item. An index entry that does not change
 * is free. A change in place costs the larger image. A changed key costs a deletion and an
 * insertion. Transactions do not double this.
 */
export function indexWriteUnits(
  schema: TableSchema,
  before: Item | undefined,
  after: Item | undefined,
): number {
  return schema.indexes.reduce(
    (total, index) =>
      total +
      entryChangeUnits(index, indexEntry(schema, index, before), indexEntry(schema, index, after)),
    0,
  );
}

function entryChangeUnits(
  index: IndexSchema,
  before: Item | undefined,
  after: Item | undefined,
): number {
  if (isDeepStrictEqual(before, after)) {
    return 0;
  }
  if (before === undefined || after === undefined) {
    return writeUnits(itemSize(before ?? after));
  }
  const isMoved = index.keyNames.some((name) => !isDeepStrictEqual(before[name], after[name]));
  if (isMoved) {
    return writeUnits(itemSize(before)) + writeUnits(itemSize(after));
  }

  return writeUnits(Math.max(itemSize(before), itemSize(after)));
}
