import { type AttributeValue, type Item, sortableText } from './attribute-value.ts';
import { type Entry, type Place, SortedEntries } from './sorted-entries.ts';
import {
  type IndexSchema,
  type KeySchema,
  type TableDescription,
  type TableSchema,
  toTableSchema,
} from './table-schema.ts';

/** The definition of a table, in the format of CreateTable. */
export type TableDefinition = TableDescription & {
  readonly TableName: string;
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
};

/** Makes indexes, and other eventually consistent reads, miss the latest changes. */
export type Lag = {
  readonly now: () => number;
  /** Returns how many of the latest changes a read sees. The changes have these times. */
  readonly seen: (timesMs: readonly number[]) => number;
};

type Partitions = Map<string, SortedEntries>;

type IndexChange = {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  readonly atMs: number;
};

/** A table's items, in the partitions of the table and of its indexes. Items never change. */
export class StoredTable {
  readonly name: string;
  readonly definition: TableDefinition;
  readonly schema: TableSchema;
  /** The types of key attributes. */
  readonly types: ReadonlyMap<string, string>;
  /** The attribute that holds the time at which an item expires, in seconds. */
  timeToLiveName: string | undefined;
  private readonly partitions: Partitions = new Map();
  private readonly partitionsOfIndexes: ReadonlyMap<IndexSchema, Partitions>;
  private readonly lag: Lag | undefined;
  /** A copy of the table that lags like an index. */
  private readonly replica: IndexSchema;
  private readonly pending = new Map<IndexSchema, IndexChange[]>();
  /** The partitions in the order of scans. Sorted when a scan needs it. */
  private scanOrder: readonly HashedName[] | undefined;

  constructor(definition: TableDefinition, lag?: Lag) {
    this.name = definition.TableName;
    this.definition = definition;
    this.schema = toTableSchema(definition);
    this.types = new Map(
      definition.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [
        AttributeName,
        AttributeType,
      ]),
    );
    this.lag = lag;
    this.replica = { ...this.schema, name: '', projected: 'all' };
    const indexes = [...this.schema.indexes, ...(lag ? [this.replica] : [])];
    this.partitionsOfIndexes = new Map(indexes.map((index) => [index, new Map()]));
  }

  get(key: Item, isEventual = false): Item | undefined {
    const hashValues = this.schema.hashNames.map((name) => key[name] ?? {});
    const partition = this.partition(undefined, hashValues, isEventual);

    return partition.find(this.placeOf(key));
  }

  /** Replaces an item. `undefined` means that there is no item. */
  replace(before: Item | undefined, after: Item | undefined): void {
    const known = this.partitions.size;
    replaceIn(this.partitions, this.schema, this.placed(before), this.placed(after));
    if (this.partitions.size !== known) {
      this.scanOrder = undefined;
    }
    const key = after ?? before;
    const tie = key && this.tieOf(key);
    for (const [index, partitions] of this.partitionsOfIndexes) {
      const place = (item: Item | undefined) =>
        index === this.replica ? this.placed(item) : this.placed(item, index, tie);
      if (this.lag) {
        this.defer(index, { before: place(before), after: place(after), atMs: this.lag.now() });
      } else {
        replaceIn(partitions, index, place(before), place(after));
      }
    }
  }

  /** Returns a partition of the table or of an index. */
  partition(
    index: IndexSchema | undefined,
    hashValues: readonly AttributeValue[],
    isEventual: boolean,
  ): SortedEntries {
    const source = index ?? (this.lag && isEventual ? this.replica : undefined);
    if (source && this.lag) {
      const times = this.pending.get(source)?.map(({ atMs }) => atMs) ?? [];
      this.catchUp(source, this.lag.seen(times));
    }
    const partitions = source ? this.partitionsOfIndexes.get(source) : this.partitions;

    return partitions?.get(nameOf(hashValues)) ?? new SortedEntries();
  }

  /** Makes all changes visible to all reads. */
  settle(): void {
    for (const index of this.pending.keys()) {
      this.catchUp(index, Number.POSITIVE_INFINITY);
    }
  }

  private defer(index: IndexSchema, change: IndexChange): void {
    if (change.before ?? change.after) {
      const changes = this.pending.get(index) ?? [];
      changes.push(change);
      this.pending.set(index, changes);
    }
  }

  private catchUp(index: IndexSchema, count: number): void {
    for (const { before, after } of this.pending.get(index)?.splice(0, count) ?? []) {
      replaceIn(this.partitionsOfIndexes.get(index) ?? new Map(), index, before, after);
    }
  }

  placeOf(item: Item, index?: IndexSchema, tie = index && this.tieOf(item)): Place {
    const { rangeName } = index ?? this.schema;
    const range = rangeName === undefined ? '' : sortableText(item[rangeName] ?? {});

    return { range, tie: tie ?? '' };
  }

  /** All indexes share this text, because it needs more memory than the rest of an entry. */
  private tieOf(item: Item): string {
    return nameOf(this.schema.keyNames.map((name) => item[name] ?? {}));
  }

  /** Returns the item's entry, or undefined if it lacks one of the index's keys. */
  private placed(item: Item | undefined, index?: IndexSchema, tie?: string): Entry | undefined {
    if (!item || index?.keyNames.some((name) => item[name] === undefined)) {
      return undefined;
    }

    return { ...this.placeOf(item, index, tie), item };
  }

  /**
   * Yields all items after the item with this key. Like DynamoDB, a scan visits the partitions in
   * an order that is unrelated to their names.
   */
  *itemsAfter(key: Item | undefined): Generator<Item, void, undefined> {
    this.scanOrder ??= [...this.partitions.keys()].map(hashed).sort(compareHashed);
    const start = key && hashed(partitionName(this.schema, key));
    for (const place of this.scanOrder) {
      const order = start ? compareHashed(place, start) : 1;
      const entries = order < 0 ? undefined : this.partitions.get(place.name);
      let next = key && order === 0 ? (entries?.indexAfter(this.placeOf(key)) ?? 0) : 0;
      for (let entry = entries?.at(next); entry; entry = entries?.at(next)) {
        yield entry.item;
        next += 1;
      }
    }
  }
}

function replaceIn(
  partitions: Partitions,
  key: KeySchema,
  before: Entry | undefined,
  after: Entry | undefined,
): void {
  const left = before && partitionName(key, before.item);
  const entered = after && partitionName(key, after.item);
  if (before && left !== undefined && (left !== entered || before.range !== after?.range)) {
    const partition = partitions.get(left);
    partition?.remove(before);
    if (partition?.size === 0) {
      partitions.delete(left);
    }
  }
  if (after && entered !== undefined) {
    const partition = partitions.get(entered) ?? new SortedEntries();
    partition.put(after);
    partitions.set(entered, partition);
  }
}

function partitionName({ hashNames }: KeySchema, item: Item): string {
  return nameOf(hashNames.map((name) => item[name] ?? {}));
}

/** The lengths distinguish values whose concatenation would be equal. */
function nameOf(values: readonly AttributeValue[]): string {
  const [only = '', ...others] = values.map(sortableText);

  return others.length === 0
    ? only
    : [only, ...others].map((text) => `${text.length}:${text}`).join('');
}

type HashedName = { readonly name: string; readonly hash: number };

/** FNV-1a. */
function hashed(name: string): HashedName {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }

  return { name, hash };
}

function compareHashed(one: HashedName, other: HashedName): number {
  return one.hash - other.hash || (one.name < other.name ? -1 : Number(one.name > other.name));
}
