import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/platform/config.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { type Key, recordIdOf } from '#lib/platform/db/keys/key.ts';
import { encodeCursor, type PageRequest, pageStart } from './cursor.ts';
import type { Page } from './list.ts';
import { type ListKind, listShards } from './shards.ts';

/** All items of a kind. */
export type WholeList = { readonly organizationId: string; readonly kind: ListKind };

/** An index with its own attribute, in addition to the organization and the list. */
export type ListIndex = { readonly name: string; readonly attribute: string };

export type IndexRow = Key & { readonly id: string } & Record<string, unknown>;

/** All items of a kind, or the items with one value. */
export type IndexedList = WholeList & {
  readonly by?: { readonly index: ListIndex; readonly value: string };
};

/** Ids of at least `from`, and below `before`. */
export type IdRange = { readonly before?: string | undefined; readonly from?: string | undefined };

const maxPage = 1_000;
const lowestId = '0';
const highestId = 'g';

type ShardQuery = WholeList & {
  readonly shard: number;
  readonly indexName: string;
  /** An additional condition besides organization and list. */
  readonly condition?: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
};

type RowPage = Pick<QueryCommandInput, 'Limit' | 'ScanIndexForward' | 'ExclusiveStartKey'>;

function queryShard(
  { organizationId, kind, shard, indexName, condition, names, values }: ShardQuery,
  page: RowPage,
): Promise<QueryCommandOutput> {
  return documentClient.send(
    new QueryCommand({
      TableName: config.tableName,
      IndexName: indexName,
      KeyConditionExpression: `organizationId = :organizationId AND #list = :list${
        condition === undefined ? '' : ` AND ${condition}`
      }`,
      ExpressionAttributeNames: { '#list': 'list', ...names },
      ExpressionAttributeValues: {
        ':organizationId': organizationId,
        ':list': `${kind}#${shard}`,
        ...values,
      },
      ...page,
    }),
  );
}

function atAllShards<Result>(read: (shard: number) => Result): readonly Result[] {
  return Array.from({ length: listShards }, (_, shard) => read(shard));
}

/**
 * Yields the rows of one shard. Each query reads twice as many rows as the previous one, up to
 * 1,000.
 */
async function* rowsOfShard(
  { by, ...list }: IndexedList,
  shard: number,
  { before, from }: IdRange,
  pageSize: number,
): AsyncGenerator<IndexRow, void, undefined> {
  if (before !== undefined && from !== undefined && from >= before) {
    return;
  }
  const isBounded = before !== undefined || from !== undefined;
  const conditions = [
    ...(by ? ['#value = :value'] : []),
    ...(isBounded ? ['id BETWEEN :from AND :before'] : []),
  ];
  const shardQuery = {
    ...list,
    shard,
    indexName: by?.index.name ?? 'list',
    ...(conditions.length > 0 ? { condition: conditions.join(' AND ') } : {}),
    ...(by ? { names: { '#value': by.index.attribute } } : {}),
    values: {
      ...(by ? { ':value': by.value } : {}),
      ...(isBounded ? { ':from': from ?? lowestId, ':before': before ?? highestId } : {}),
    },
  };
  let limit = pageSize;
  let startKey: RowPage['ExclusiveStartKey'];
  do {
    const { Items, LastEvaluatedKey } = await queryShard(shardQuery, {
      ScanIndexForward: false,
      Limit: Math.min(maxPage, limit),
      ...(startKey ? { ExclusiveStartKey: startKey } : {}),
    });
    yield* ((Items ?? []) as IndexRow[]).filter(({ id }) => id !== before);
    startKey = LastEvaluatedKey;
    limit *= 2;
  } while (startKey);
}

type OldestRows = WholeList & {
  /** Sorted by `attribute`. */
  readonly index: ListIndex;
  readonly before: string;
  readonly perShard: number;
};

/**
 * Returns the rows with the lowest values of the attribute. Reads a limited number from each shard.
 */
export async function oldestRowsOf({
  index,
  before,
  perShard,
  ...list
}: OldestRows): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
  const shards = await Promise.all(
    atAllShards((shard) =>
      queryShard(
        {
          ...list,
          shard,
          indexName: index.name,
          condition: '#value < :before',
          names: { '#value': index.attribute },
          values: { ':before': before },
        },
        { Limit: perShard },
      ),
    ),
  );

  return shards.flatMap(({ Items = [] }) => Items);
}

/**
 * Yields all rows of a list, newest first, by merging the shards. Reads their first pages in
 * parallel.
 */
export function rowsOf(
  list: IndexedList,
  pageSize: number,
  range: IdRange = {},
): AsyncGenerator<IndexRow, void, undefined> {
  return mergeNewestFirst(atAllShards((shard) => rowsOfShard(list, shard, range, pageSize)));
}

/** Reads all rows of a list in parallel, newest first. */
export async function allRowsOf(list: IndexedList): Promise<readonly IndexRow[]> {
  const rows: IndexRow[] = [];
  const readShard = async (shard: number) => {
    for await (const row of rowsOfShard(list, shard, {}, maxPage)) {
      rows.push(row);
    }
  };
  await Promise.all(atAllShards(readShard));

  return rows.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** A position in a list that is sorted by an attribute, then by id. */
export type Place = { readonly value: string; readonly id: string };

export type ComparePlaces = (one: Place, other: Place) => number;

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

export const ascending: ComparePlaces = (one, other) =>
  compareTexts(one.value, other.value) || compareTexts(one.id, other.id);

export const descending: ComparePlaces = (one, other) => ascending(other, one);

/** An index that is sorted by `attribute`, and the format of its values in positions. */
type SortedIndex = ListIndex & {
  readonly toPlace: (stored: unknown) => string;
  readonly fromPlace: (value: string) => number | string;
};

export type SortedList = WholeList & {
  readonly index: SortedIndex;
  readonly compare: typeof ascending | typeof descending;
};

type PlacedRow = Place & { readonly row: Readonly<Record<string, unknown>> };

/** Yields the rows of a sorted index after the given position, by merging its shards. */
export async function* placesOf(
  list: SortedList,
  pageSize: number,
  after: Place | undefined,
): AsyncGenerator<PlacedRow, void, undefined> {
  const shards = atAllShards((shard) => placesOfShard(list, shard, pageSize, after?.value));
  for await (const place of mergeSorted(shards, list.compare)) {
    if (!after || list.compare(place, after) > 0) {
      yield place;
    }
  }
}

/** DynamoDB does not define the order of rows with the same value, so they are sorted here. */
async function* placesOfShard(
  { index, compare, ...list }: SortedList,
  shard: number,
  pageSize: number,
  from: string | undefined,
): AsyncGenerator<PlacedRow, void, undefined> {
  const isAscending = compare === ascending;
  const shardQuery = {
    ...list,
    shard,
    indexName: index.name,
    ...(from === undefined
      ? {}
      : {
          condition: `#value ${isAscending ? '>=' : '<='} :from`,
          names: { '#value': index.attribute },
          values: { ':from': index.fromPlace(from) },
        }),
  };
  let startKey: RowPage['ExclusiveStartKey'];
  let tied: PlacedRow[] = [];
  do {
    const { Items = [], LastEvaluatedKey } = await queryShard(shardQuery, {
      ScanIndexForward: isAscending,
      Limit: Math.min(maxPage, pageSize),
      ...(startKey ? { ExclusiveStartKey: startKey } : {}),
    });
    for (const row of Items) {
      const place = { value: index.toPlace(row[index.attribute]), id: recordIdOf(row as Key), row };
      if (tied[0] && tied[0].value !== place.value) {
        yield* tied.sort(compare);
        tied = [];
      }
      tied.push(place);
    }
    startKey = LastEvaluatedKey;
  } while (startKey);
  yield* tied.sort(compare);
}

/** Merges lists that are sorted newest first. Reads each list only as far as needed. */
export function mergeNewestFirst<Row extends { readonly id: string }>(
  sources: ReadonlyArray<AsyncGenerator<Row, void, undefined>>,
): AsyncGenerator<Row, void, undefined> {
  return mergeSorted(sources, (one, other) => compareTexts(other.id, one.id));
}

async function* mergeSorted<Row>(
  sources: ReadonlyArray<AsyncGenerator<Row, void, undefined>>,
  compare: (one: Row, other: Row) => number,
): AsyncGenerator<Row, void, undefined> {
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    const first = indexOfFirst(heads, compare);
    const head = heads[first];
    const source = sources[first];
    if (!head || head.done || !source) {
      return;
    }
    yield head.value;
    heads[first] = await source.next();
  }
}

function indexOfFirst<Row>(
  heads: ReadonlyArray<IteratorResult<Row, void>>,
  compare: (one: Row, other: Row) => number,
): number {
  let first = -1;
  let firstRow: Row | undefined;
  for (const [index, head] of heads.entries()) {
    if (!head.done && (firstRow === undefined || compare(head.value, firstRow) < 0)) {
      first = index;
      firstRow = head.value;
    }
  }

  return first;
}

export type FoundRows = {
  readonly rows: readonly IndexRow[];
  /** False if there may be more rows. */
  readonly areAll: boolean;
};

type RowsBetween = WholeList & {
  /** Sorted by `attribute`. */
  readonly index: ListIndex;
  readonly min: number;
  readonly max: number;
};

/**
 * Returns the rows whose attribute is a number within the bounds, in any order. Stops reading a
 * shard after more rows than its share of `most`.
 */
export async function rowsBetween(list: RowsBetween, most: number): Promise<FoundRows> {
  if (list.min > list.max) {
    return { rows: [], areAll: true };
  }
  const perShard = Math.ceil(most / listShards);
  const shards = await Promise.all(atAllShards((shard) => shardBetween(list, shard, perShard)));

  return { rows: shards.flat(), areAll: shards.every((rows) => rows.length <= perShard) };
}

/** Reads at most one row more than `most`, to find out whether there are more. */
async function shardBetween(
  { index, min, max, ...list }: RowsBetween,
  shard: number,
  most: number,
): Promise<readonly IndexRow[]> {
  const shardQuery = {
    ...list,
    shard,
    indexName: index.name,
    condition: '#value BETWEEN :min AND :max',
    names: { '#value': index.attribute },
    values: { ':min': min, ':max': max },
  };
  const rows: IndexRow[] = [];
  let startKey: RowPage['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await queryShard(shardQuery, {
      Limit: most + 1 - rows.length,
      ...(startKey ? { ExclusiveStartKey: startKey } : {}),
    });
    rows.push(...(Items as IndexRow[]).map((row) => ({ ...row, id: recordIdOf(row) })));
    startKey = LastEvaluatedKey;
  } while (startKey && rows.length <= most);

  return rows;
}

export type ListStart = {
  readonly page: number;
  readonly before?: string;
  readonly skipped: number;
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isUuid = (after: unknown): after is string =>
  typeof after === 'string' && uuid.test(after);

export function startOf(request: PageRequest): ListStart {
  const { page, after } = pageStart(request, isUuid);

  return after === undefined
    ? { page, skipped: (page - 1) * request.limit }
    : { page, before: after, skipped: 0 };
}

/**
 * Returns one page of an indexed list, newest first. A page by cursor costs as much as the first
 * page. A page by number also reads the index rows before it, which are small.
 */
export function listIndexPage(
  list: IndexedList,
  request: PageRequest,
  total: Promise<number>,
): Promise<Page<IndexRow>> {
  return listMergedPage(
    (pageSize, before) => rowsOf(list, rowsPerShard(pageSize), { before }),
    request,
    total,
  );
}

/**
 * Returns a quarter of the rows plus four standard deviations, so that only one page in thousands
 * needs a second query.
 */
function rowsPerShard(rows: number): number {
  return Math.min(rows, Math.ceil(rows / listShards + Math.sqrt(3 * rows)));
}

/** Yields the rows below an id, newest first. `pageSize` is the expected number of rows. */
export type RowSource<Row> = (
  pageSize: number,
  before: string | undefined,
) => AsyncGenerator<Row, void, undefined>;

/** Returns one page of a merged list, newest first. */
export async function listMergedPage<Row extends { readonly id: string }>(
  source: RowSource<Row>,
  request: PageRequest,
  total: Promise<number>,
): Promise<Page<Row>> {
  const start = startOf(request);
  const [rows, exactTotal] = await Promise.all([takePage(source, start, request.limit), total]);

  return pageOf(rows, { page: start.page, limit: request.limit, total: exactTotal });
}

async function takePage<Row>(
  source: RowSource<Row>,
  start: ListStart,
  limit: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let skipped = 0;
  const wanted = start.skipped + limit + 1;
  for await (const row of source(wanted, start.before)) {
    if (skipped < start.skipped) {
      skipped += 1;
    } else {
      rows.push(row);
    }
    if (rows.length > limit) {
      break;
    }
  }

  return rows;
}

/** Returns one page of rows that were all read already, newest first. */
export function pickPage<Row extends { readonly id: string }>(
  found: readonly Row[],
  request: PageRequest,
): Page<Row> {
  const { page, before, skipped } = startOf(request);
  const rest = before === undefined ? found : found.filter(({ id }) => id < before);
  const rows = rest.slice(skipped, skipped + request.limit + 1);

  return pageOf(rows, { page, limit: request.limit, total: found.length });
}

/** A page whose total may be unknown. */
export type PageOfRows<Row, Total extends number | null = number | null> = {
  readonly items: readonly Row[];
  readonly pagination: Omit<Page<Row>['pagination'], 'total'> & { readonly total: Total };
};

type PageNumbers<Total> = {
  readonly page: number;
  readonly limit: number;
  readonly total: Total;
  /** The id of the last row that was read, if not all rows were read. */
  readonly stoppedAt?: string | undefined;
};

/**
 * Returns the page that starts with these rows. It has a next page if there are more rows than the
 * limit.
 */
export function pageOf<Row extends { readonly id: string }, Total extends number | null>(
  rows: readonly Row[],
  { page, limit, total, stoppedAt }: PageNumbers<Total>,
): PageOfRows<Row, Total> {
  const shown = rows.slice(0, limit);
  const after = rows.length > limit ? shown.at(-1)?.id : stoppedAt;

  return {
    items: shown,
    pagination: {
      total,
      page,
      limit,
      hasMore: after !== undefined,
      nextCursor: after === undefined ? null : encodeCursor({ after, page }),
    },
  };
}
