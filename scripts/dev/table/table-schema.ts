import { type Item, newItem } from './attribute-value.ts';
import { unsupported } from './table-error.ts';

export type IndexSchema = KeySchema & {
  readonly name: string;
  /** The stored attributes in addition to the keys. */
  readonly projected: 'all' | readonly string[];
};

/** The attributes of a key: together they identify the partition, and one sorts its items. */
export type KeySchema = {
  readonly keyNames: readonly string[];
  readonly hashNames: readonly string[];
  readonly rangeName: string | undefined;
};

export type TableSchema = KeySchema & {
  readonly indexes: readonly IndexSchema[];
};

type KeyElements = readonly { readonly AttributeName: string; readonly KeyType: string }[];

/** The part of a table's description that determines the effects of a write. */
export type TableDescription = {
  readonly KeySchema: KeyElements;
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: KeyElements;
    readonly Projection: {
      readonly ProjectionType: string;
      readonly NonKeyAttributes?: readonly string[];
    };
  }[];
};

export function toTableSchema(description: TableDescription): TableSchema {
  const indexes = (description.GlobalSecondaryIndexes ?? []).map((index) => ({
    ...toKeySchema(index.KeySchema),
    name: index.IndexName,
    projected:
      index.Projection.ProjectionType === 'ALL'
        ? ('all' as const)
        : (index.Projection.NonKeyAttributes ?? []),
  }));

  return { ...toKeySchema(description.KeySchema), indexes };
}

function toKeySchema(elements: KeyElements): KeySchema {
  const namesOf = (type: string) =>
    elements.filter(({ KeyType }) => KeyType === type).map(({ AttributeName }) => AttributeName);
  const [rangeName, ...others] = namesOf('RANGE');
  if (others.length > 0) {
    throw unsupported('several range attributes');
  }
  const hashNames = namesOf('HASH');

  return {
    keyNames: [...hashNames, ...(rangeName === undefined ? [] : [rangeName])],
    hashNames,
    rangeName,
  };
}

export function pickAttributes(item: Item, names: readonly string[]): Item {
  const picked = newItem();
  for (const name of names) {
    const value = item[name];
    if (value !== undefined) {
      picked[name] = value;
    }
  }

  return picked;
}

/** Returns the index's entry for an item, or undefined if the item lacks one of the index's keys. */
export function indexEntry(
  { keyNames }: TableSchema,
  index: IndexSchema,
  item: Item | undefined,
): Item | undefined {
  if (item === undefined || index.keyNames.some((name) => item[name] === undefined)) {
    return undefined;
  }
  if (index.projected === 'all') {
    return item;
  }

  return pickAttributes(item, [...keyNames, ...index.keyNames, ...index.projected]);
}
