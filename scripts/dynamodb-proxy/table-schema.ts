import type { AttributeValue, Item } from './wire.ts';

export type IndexSchema = {
  readonly name: string;
  readonly keyNames: readonly string[];
  /** The attributes stored in addition to the keys. */
  readonly projected: 'all' | readonly string[];
};

export type TableSchema = {
  readonly keyNames: readonly string[];
  readonly indexes: readonly IndexSchema[];
};

type KeySchema = readonly { readonly AttributeName: string }[];

/** The part of a DescribeTable response that determines what a write affects. */
export type TableDescription = {
  readonly KeySchema: KeySchema;
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: KeySchema;
    readonly Projection: {
      readonly ProjectionType: string;
      readonly NonKeyAttributes?: readonly string[];
    };
  }[];
};

export function toTableSchema(description: TableDescription): TableSchema {
  const indexes = (description.GlobalSecondaryIndexes ?? []).map((index) => ({
    name: index.IndexName,
    keyNames: index.KeySchema.map((key) => key.AttributeName),
    projected:
      index.Projection.ProjectionType === 'ALL'
        ? ('all' as const)
        : (index.Projection.NonKeyAttributes ?? []),
  }));

  return { keyNames: description.KeySchema.map((key) => key.AttributeName), indexes };
}

export function pickAttributes(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** An item's key as text, `pk/sk`. Rules match its prefix, and records show it. */
export function keyText(schema: TableSchema, item: Item): string {
  return schema.keyNames.map((name) => scalarText(item[name])).join('/');
}

export function scalarText(value: AttributeValue | undefined): string {
  return value?.S ?? value?.N ?? value?.B ?? '';
}
