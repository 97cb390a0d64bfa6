import { createHash } from 'node:crypto';
import type { Condition } from '#lib/platform/db/conditions.ts';
import { compareSortKeys, type Key, type KeyRange } from '#lib/platform/db/keys/key.ts';
import { query } from '#lib/platform/db/read.ts';
import type { PageRequest } from './cursor.ts';
import { encodeCursor, type PageStart, pageStart } from './cursor.ts';

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly pagination: {
    readonly total: number;
    readonly page: number;
    readonly limit: number;
    readonly hasMore: boolean;
    readonly nextCursor: string | null;
  };
};

/** Returns a hash that identifies a list and its organization, without revealing them. */
function tagOf({ pk, from, to }: KeyRange): string {
  return createHash('sha256').update(`${pk}\n${from}\n${to}`).digest('base64url').slice(0, 8);
}

/** Excludes the bounds, because DynamoDB rejects them as start keys. */
function isKeyWithin({ from, to }: KeyRange) {
  return (key: unknown): key is string =>
    typeof key === 'string' &&
    key.isWellFormed() &&
    compareSortKeys(key, from) > 0 &&
    compareSortKeys(key, to) < 0;
}

/**
 * Returns one page of a range, newest first, with the exact total from `total`. A page by cursor
 * costs as much as the first page. A page by number also reads all keys before it. Items that do
 * not match `only` are read and dropped.
 */
export async function listPage<Item extends object>(
  range: KeyRange,
  request: PageRequest,
  total: () => Promise<number>,
  only?: Condition,
): Promise<Page<Item & Key>> {
  const start = pageStart(request, isKeyWithin(range), tagOf(range));
  const [items, exactTotal] = await Promise.all([
    readPage<Item>(range, start, request.limit, only),
    total(),
  ]);
  const shown = items.slice(0, request.limit);
  const lastShown = shown.at(-1);
  const hasMore = items.length > request.limit;

  return {
    items: shown,
    pagination: {
      total: exactTotal,
      page: start.page,
      limit: request.limit,
      hasMore,
      nextCursor:
        hasMore && lastShown
          ? encodeCursor({ after: lastShown.sk, page: start.page }, tagOf(range))
          : null,
    },
  };
}

/**
 * Returns one page of the matching items of a range, newest first, with the exact total. Reads the
 * whole range, so use it only for small ranges without a suitable index.
 */
export async function listMatching<Item extends object>(
  range: KeyRange,
  request: PageRequest,
  matches: (item: Item) => boolean,
): Promise<Page<Item & Key>> {
  const start = pageStart(request, isKeyWithin(range), tagOf(range));
  const { after } = start;
  const all = await query<Item>(range, { newestFirst: true });
  const matching = all.filter(matches);
  const rest =
    after !== undefined
      ? matching.filter(({ sk }) => sk < after)
      : matching.slice((start.page - 1) * request.limit);
  const items = rest.slice(0, request.limit);
  const lastShown = items.at(-1);
  const hasMore = rest.length > items.length;

  return {
    items,
    pagination: {
      total: matching.length,
      page: start.page,
      limit: request.limit,
      hasMore,
      nextCursor:
        hasMore && lastShown
          ? encodeCursor({ after: lastShown.sk, page: start.page }, tagOf(range))
          : null,
    },
  };
}

async function readPage<Item extends object>(
  range: KeyRange,
  start: PageStart<string>,
  limit: number,
  only: Condition | undefined,
): Promise<ReadonlyArray<Item & Key>> {
  const after = start.after ?? (await skipTo(range, (start.page - 1) * limit, only));
  if (after === null) {
    return [];
  }

  return query<Item>(range, {
    newestFirst: true,
    limit: limit + 1,
    only,
    ...(after === undefined ? {} : { after }),
  });
}

/** Returns the sort key of the last skipped item; null if the list ends before it. */
async function skipTo(
  range: KeyRange,
  skipped: number,
  only: Condition | undefined,
): Promise<string | null | undefined> {
  if (skipped === 0) {
    return undefined;
  }
  const passed = await query(range, { newestFirst: true, limit: skipped, keysOnly: true, only });

  return passed.length < skipped ? null : (passed.at(-1)?.sk ?? null);
}
