import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { config } from '#lib/platform/config.ts';
import { documentClient } from './client.ts';
import { encodeCursor, pageStart } from './cursor.ts';
import type { Key } from './keys/key.ts';
import type { Page, PageRequest } from './list.ts';

/** Shards of each list index, so that a single partition does not limit its write rate. */
export const listShards = 4;

/** Returns the shard of an id. Evenly spread and stable. */
export function shardOf(id: string, shards: number): number {
  return Number.parseInt(id.slice(-6), 16) % shards;
}

/** An index partitioned by organization, value and shard. */
export type ListIndex = { readonly name: string; readonly attribute: string };

export type IndexRow = Key & { readonly id: string } & Record<string, unknown>;

export type IndexedList = {
  readonly index: ListIndex;
  readonly organizationId: string;
  readonly value: string;
};

/** Ids from `from`, and below `before`. */
export type IdRange = { readonly before?: string | undefined; readonly from?: string | undefined };

const maxPage = 1_000;
const lowestId = '0';
const highestId = 'g';

/** Yields the rows of one shard. Each query asks for twice as many as the one before, up to 1,000. */
async function* rowsOfShard(
  { index, organizationId, value }: IndexedList,
  shard: number,
  { before, from }: IdRange,
  pageSize: number,
): AsyncGenerator<IndexRow, void, undefined> {
  if (before !== undefined && from !== undefined && from >= before) {
    return;
  }
  let limit = pageSize;
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items, LastEvaluatedKey } = await documentClient.send(
      new QueryCommand({
        TableName: config.tableName,
        IndexName: index.name,
        KeyConditionExpression: `organizationId = :organizationId AND #value = :value AND listShard = :shard${
          before === undefined && from === undefined ? '' : ' AND id BETWEEN :from AND :before'
        }`,
        ExpressionAttributeNames: { '#value': index.attribute },
        ExpressionAttributeValues: {
          ':organizationId': organizationId,
          ':value': value,
          ':shard': shard,
          ...(before === undefined && from === undefined
            ? {}
            : { ':from': from ?? lowestId, ':before': before ?? highestId }),
        },
        ScanIndexForward: false,
        Limit: Math.min(maxPage, limit),
        ...(startKey ? { ExclusiveStartKey: startKey } : {}),
      }),
    );
    yield* ((Items ?? []) as IndexRow[]).filter(({ id }) => id !== before);
    startKey = LastEvaluatedKey;
    limit *= 2;
  } while (startKey);
}

type OldestRows = {
  readonly organizationId: string;
  /** Sorted by `attribute`, and partitioned by organization and shard alone. */
  readonly index: ListIndex;
  readonly before: string;
  readonly perShard: number;
};

/** Returns the rows with the lowest values of the attribute, a limited number from each shard. */
export async function oldestRowsOf({
  organizationId,
  index,
  before,
  perShard,
}: OldestRows): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
  const shards = await Promise.all(
    Array.from({ length: listShards }, (_, shard) =>
      documentClient.send(
        new QueryCommand({
          TableName: config.tableName,
          IndexName: index.name,
          KeyConditionExpression:
            'organizationId = :organizationId AND listShard = :shard AND #value < :before',
          ExpressionAttributeNames: { '#value': index.attribute },
          ExpressionAttributeValues: {
            ':organizationId': organizationId,
            ':shard': shard,
            ':before': before,
          },
          Limit: perShard,
        }),
      ),
    ),
  );

  return shards.flatMap(({ Items = [] }) => Items);
}

/**
 * Yields all rows of a list, newest first, by merging the shards. The first pages are read in
 * parallel.
 */
export function rowsOf(
  list: IndexedList,
  pageSize: number,
  range: IdRange = {},
): AsyncGenerator<IndexRow, void, undefined> {
  return mergeNewestFirst(
    Array.from({ length: listShards }, (_, shard) => rowsOfShard(list, shard, range, pageSize)),
  );
}

/** Reads all rows of a list in parallel, newest first. */
export async function allRowsOf(list: IndexedList): Promise<readonly IndexRow[]> {
  const rows: IndexRow[] = [];
  const readShard = async (shard: number) => {
    for await (const row of rowsOfShard(list, shard, {}, maxPage)) {
      rows.push(row);
    }
  };
  await Promise.all(Array.from({ length: listShards }, (_, shard) => readShard(shard)));

  return rows.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** A place in a list that is sorted by an attribute, then by id. */
export type Place = { readonly value: string; readonly id: string };

export type ComparePlaces = (one: Place, other: Place) => number;

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

export const ascending: ComparePlaces = (one, other) =>
  compareTexts(one.value, other.value) || compareTexts(one.id, other.id);

export const descending: ComparePlaces = (one, other) => ascending(other, one);

type SortedIndex = {
  readonly organizationId: string;
  /** Sorted by `attribute`, and partitioned by organization and shard alone. */
  readonly index: ListIndex;
  readonly compare: typeof ascending | typeof descending;
  readonly idOf: (row: Key) => string;
};

type PlacedRow = Place & { readonly row: Readonly<Record<string, unknown>> };

/** Yields the rows of a sorted index after the given place, by merging its shards. */
export async function* placesOf(
  list: SortedIndex,
  pageSize: number,
  after: Place | undefined,
): AsyncGenerator<PlacedRow, void, undefined> {
  const shards = Array.from({ length: listShards }, (_, shard) =>
    placesOfShard(list, shard, pageSize, after?.value),
  );
  for await (const place of mergeSorted(shards, list.compare)) {
    if (!after || list.compare(place, after) > 0) {
      yield place;
    }
  }
}

/** DynamoDB does not define the order of rows with the same value, so they are sorted here. */
async function* placesOfShard(
  { organizationId, index, compare, idOf }: SortedIndex,
  shard: number,
  pageSize: number,
  from: string | undefined,
): AsyncGenerator<PlacedRow, void, undefined> {
  const isAscending = compare === ascending;
  let startKey: Record<string, unknown> | undefined;
  let tied: PlacedRow[] = [];
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient.send(
      new QueryCommand({
        TableName: config.tableName,
        IndexName: index.name,
        KeyConditionExpression: `organizationId = :organizationId AND listShard = :shard${
          from === undefined ? '' : ` AND #value ${isAscending ? '>=' : '<='} :from`
        }`,
        ...(from === undefined ? {} : { ExpressionAttributeNames: { '#value': index.attribute } }),
        ExpressionAttributeValues: {
          ':organizationId': organizationId,
          ':shard': shard,
          ...(from === undefined ? {} : { ':from': from }),
        },
        ScanIndexForward: isAscending,
        Limit: Math.min(maxPage, pageSize),
        ...(startKey ? { ExclusiveStartKey: startKey } : {}),
      }),
    );
    for (const row of Items) {
      const place = { value: String(row[index.attribute]), id: idOf(row as Key), row };
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

/** Merges lists that are sorted newest first. Reads each only as far as needed. */
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
  /** False if there may be more. */
  readonly areAll: boolean;
};

/**
 * Returns the rows whose attribute is a number within the bounds, in any order. Stops reading a
 * shard once it has more than its part of `most`.
 */
export async function rowsBetween(
  organizationId: string,
  index: ListIndex,
  { min, max }: { readonly min: number; readonly max: number },
  most: number,
): Promise<FoundRows> {
  if (min > max) {
    return { rows: [], areAll: true };
  }
  const perShard = Math.ceil(most / listShards);
  const shards = await Promise.all(
    Array.from({ length: listShards }, (_, shard) =>
      shardBetween({ organizationId, index, shard, min, max }, perShard),
    ),
  );

  return { rows: shards.flat(), areAll: shards.every((rows) => rows.length <= perShard) };
}

type ShardBetween = {
  readonly organizationId: string;
  readonly index: ListIndex;
  readonly shard: number;
  readonly min: number;
  readonly max: number;
};

/** Reads at most one row more than `most`. */
async function shardBetween(
  { organizationId, index, shard, min, max }: ShardBetween,
  most: number,
): Promise<readonly IndexRow[]> {
  const rows: IndexRow[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documentClient.send(
      new QueryCommand({
        TableName: config.tableName,
        IndexName: index.name,
        KeyConditionExpression:
          'organizationId = :organizationId AND listShard = :shard AND #value BETWEEN :min AND :max',
        ExpressionAttributeNames: { '#value': index.attribute },
        ExpressionAttributeValues: {
          ':organizationId': organizationId,
          ':shard': shard,
          ':min': min,
          ':max': max,
        },
        Limit: most + 1 - rows.length,
        ...(startKey ? { ExclusiveStartKey: startKey } : {}),
      }),
    );
    rows.push(...(Items as IndexRow[]));
    startKey = LastEvaluatedKey;
  } while (startKey && rows.length <= most);

  return rows;
}

export type Start = {
  readonly page: number;
  readonly before?: string;
  readonly skipped: number;
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isUuid = (after: unknown): after is string =>
  typeof after === 'string' && uuid.test(after);

export function startOf(request: PageRequest): Start {
  const { page, after } = pageStart(request, isUuid);

  return after === undefined
    ? { page, skipped: (page - 1) * request.limit }
    : { page, before: after, skipped: 0 };
}

/**
 * Returns one page of an indexed list, newest first. A page by cursor costs as much as the first
 * page; a page by number also reads the index rows before it, which are small.
 */
export function listIndexPage(
  list: IndexedList,
  request: PageRequest,
  total: Promise<number>,
): Promise<Page<IndexRow>> {
  return listMergedPage((pageSize, before) => rowsOf(list, pageSize, { before }), request, total);
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
  start: Start,
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
  /** The last id that was read, if rows after it were not. */
  readonly stoppedAt?: string | undefined;
};

/** Returns the page that starts with these rows. There are more if they exceed the limit. */
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
