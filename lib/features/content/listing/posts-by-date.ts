import { createHash } from 'node:crypto';
import { type ContentPost, postDateOf, sourceOf } from '#lib/features/content/posts/post.ts';
import {
  countPosts,
  dateKey,
  type PostDate,
  postKeywordKey,
} from '#lib/features/content/posts/post-writes.ts';
import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import type { Key, KeyRange } from '#lib/platform/db/keys/key.ts';
import {
  encodeCursor,
  type PageRequest,
  type PageStart,
  pageStart,
} from '#lib/platform/db/lists/cursor.ts';
import type { Page } from '#lib/platform/db/lists/list.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { textSearch } from '#lib/platform/db/text-search.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { facetValuesOf, type PostFilters, passes } from './post-filters.ts';

export type PageOfPosts<Item> = {
  readonly items: readonly Item[];
  readonly pagination: Omit<Page<never>['pagination'], 'total'> & {
    /** Null if there are too many to count. */
    readonly total: number | null;
  };
};

type Row = PostDate & Pick<Key, 'sk'>;

/** The first page reads this many rows to count the matching ones, about 460 read units. */
const countedRows = 6_000;
/** Later pages read up to this many rows to find matching ones, about 150 read units. */
const rowsPerPage = 2_000;
const rowsPerRead = { min: 200, max: 1_000 };
/** The number of posts whose texts one page searches. Each costs a read unit. */
const textsPerPage = 500;
const textsPerRead = 100;
/** Lists up to this length are read completely, a read unit for each post. */
const maxCandidates = 50;

/**
 * The position of a row, which is the same in all lists by date, and the total of the first page.
 */
type Position = readonly [sk: string, total: number | null];

type List = {
  readonly organizationId: string;
  readonly range: KeyRange;
  readonly filters: PostFilters;
  readonly start: PageStart<Position>;
  readonly limit: number;
};

/**
 * Returns one page of the posts that match all filters, latest date first. If only a few posts
 * match one of the filters, those are read and sorted. Otherwise the rows of the date range are
 * read in order until the page is full. If too many rows do not match, the page is short and has a
 * cursor.
 *
 * @throws 400 for a page by number that would read more rows than one request may.
 */
export async function listByDate(
  organizationId: string,
  filters: PostFilters,
  { page, limit, cursor }: PageRequest,
): Promise<PageOfPosts<Row>> {
  const { dateFrom, dateTo } = filters;
  const range = contentRanges.postDates(organizationId, dateFrom, dateTo);
  const tag = tagOf(organizationId, filters);
  const start = pageStart({ page, limit, cursor }, isPositionIn(range), tag);
  const list: List = { organizationId, range, filters, start, limit };
  const candidates = await findCandidates(organizationId, filters);

  return candidates ? pickPage(list, candidates) : walk(list);
}

/** Identifies a list, including its organization, without revealing it. */
function tagOf(organizationId: string, filters: PostFilters): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  const list = JSON.stringify([organizationId, named.toSorted()]);

  return createHash('sha256').update(list).digest('base64url').slice(0, 8);
}

const place = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z#[0-9a-f-]{36}$/;

/** DynamoDB rejects start keys outside of the range. */
function isPositionIn({ from, to }: KeyRange) {
  return (entry: unknown): entry is Position => {
    if (!Array.isArray(entry) || entry.length !== 2) {
      return false;
    }
    const [sk, total] = entry;
    const isPlace = typeof sk === 'string' && place.test(sk) && sk > from && sk < to;

    return isPlace && (total === null || (Number.isSafeInteger(total) && total >= 0));
  };
}

/** Returns the posts that can match if they are few: the post with a keyword, or a short list. */
async function findCandidates(
  organizationId: string,
  filters: PostFilters,
): Promise<ReadonlyArray<ContentPost | undefined> | undefined> {
  if (filters.keyword !== undefined) {
    const claim = await get<Pick<Row, 'id'>>(postKeywordKey(organizationId, filters.keyword));

    return claim ? getMany<ContentPost>([contentKeys.contentPost(organizationId, claim.id)]) : [];
  }
  const counted = await Promise.all(
    facetValuesOf(filters).map(async ({ facet, value }) => ({
      range: contentRanges.postEntries(organizationId, facet, value),
      total: await countPosts(organizationId, facet, value),
    })),
  );
  const [rarest] = counted.toSorted((one, other) => one.total - other.total);
  if (!rarest || rarest.total > maxCandidates) {
    return undefined;
  }
  const entries = await query<Pick<Row, 'id'>>(rarest.range);

  return getMany<ContentPost>(entries.map(({ id }) => contentKeys.contentPost(organizationId, id)));
}

function pickPage(
  list: List,
  candidates: ReadonlyArray<ContentPost | undefined>,
): PageOfPosts<Row> {
  const { filters, start, limit } = list;
  const { dateFrom = '', dateTo, search } = filters;
  const hasText = textSearch(search);
  const found = candidates
    .filter((post) => post !== undefined)
    .filter((post) => {
      const date = postDateOf(post);
      const isInTime = date >= dateFrom && (dateTo === undefined || date <= dateTo);

      return post.state !== 'DELETED' && isInTime && hasText(post.content);
    })
    .map((post) => ({ ...post, origin: sourceOf(post), sk: dateKey(post).sk }))
    .filter((row) => passes(row, filters))
    .toSorted((one, other) => (one.sk < other.sk ? 1 : -1));
  const { after } = start;
  const rest = after
    ? found.filter(({ sk }) => sk < after[0])
    : found.slice((start.page - 1) * limit);

  return pageOf(list, { found: rest, total: found.length });
}

type Found = {
  readonly found: readonly Row[];
  /** The last row that was read, if there may be more after it. */
  readonly end?: string | undefined;
};

async function walk(list: List): Promise<PageOfPosts<Row>> {
  const { start, limit } = list;
  if (start.after) {
    const [, total] = start.after;

    return pageOf(list, { ...(await readRows(list, limit + 1, rowsPerPage)), total });
  }
  const skipped = (start.page - 1) * limit;
  const { found, end } = await readRows(list, Number.POSITIVE_INFINITY, countedRows);
  if (end && skipped > 0 && found.length <= skipped) {
    throw badRequest('page is too high for these filters: continue with cursor instead');
  }

  return pageOf(list, { found: found.slice(skipped), total: end ? null : found.length, end });
}

/** Reads rows in order until enough of them match, or `maxRows` have been read. */
async function readRows(
  { organizationId, range, filters, start }: List,
  wanted: number,
  maxRows: number,
): Promise<Found> {
  const { search } = filters;
  const size =
    search === undefined
      ? Math.min(rowsPerRead.max, Math.max(rowsPerRead.min, wanted))
      : textsPerRead;
  const found: Row[] = [];
  let after = start.after?.[0];
  let texts = 0;
  for (let rows = 0; rows < maxRows && texts < textsPerPage && found.length < wanted; ) {
    const read = await query<PostDate>(range, {
      newestFirst: true,
      limit: size,
      ...(after === undefined ? {} : { after }),
    });
    const passing = read.filter((row) => !row.isDeleted && passes(row, filters));
    found.push(
      ...(search === undefined ? passing : await withText(organizationId, passing, search)),
    );
    if (read.length < size) {
      return { found };
    }
    after = read.at(-1)?.sk;
    rows += read.length;
    texts += search === undefined ? 0 : passing.length;
  }

  return { found, end: after };
}

async function withText(
  organizationId: string,
  rows: readonly Row[],
  search: string,
): Promise<readonly Row[]> {
  const hasText = textSearch(search);
  const posts = await getMany<ContentPost>(
    rows.map(({ id }) => contentKeys.contentPost(organizationId, id)),
  );

  return rows.filter((_, index) => hasText(posts[index]?.content ?? ''));
}

function pageOf(
  { organizationId, filters, start: { page }, limit }: List,
  { found, end, total }: Found & { readonly total: number | null },
): PageOfPosts<Row> {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1)?.sk : end;
  const tag = tagOf(organizationId, filters);

  return {
    items,
    pagination: {
      total,
      page,
      limit,
      hasMore: last !== undefined,
      nextCursor:
        last === undefined
          ? null
          : encodeCursor({ after: [last, total] satisfies Position, page }, tag),
    },
  };
}
