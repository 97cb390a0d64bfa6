import { type ContentPost, postDateOf, sourceOf } from '#lib/features/content/posts/post.ts';
import {
  countPosts,
  type PostDate,
  postKeywordKey,
} from '#lib/features/content/posts/post-writes.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { PostFacet } from '#lib/platform/db/keys/content.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { listPage, type Page, type PageRequest } from '#lib/platform/db/list.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import {
  type IndexRow,
  type ListIndex,
  listIndexPage,
  pickPage,
} from '#lib/platform/db/sharded-list.ts';
import { textSearch } from '#lib/platform/db/text-search.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import type { listContentPosts } from '#schemas/content.ts';
import type { FiltersOf } from '#schemas/contract.ts';

export type PostFilters = Omit<FiltersOf<typeof listContentPosts>, 'includeLiveData'>;

type Row = Pick<ContentPost, 'id' | 'targetAccountId'>;

type Listed = Page<ContentPost> & {
  /** Accounts of the listed posts, if they are still connected. */
  readonly accounts: readonly SocialAccount[];
};

const allPosts: ListIndex = { name: 'list', attribute: 'list' };
const batch = 100;
const facets: Readonly<Record<string, PostFacet>> = {
  socialAccountId: 'account',
  platform: 'platform',
  status: 'status',
  source: 'source',
  groupId: 'group',
};

/**
 * Returns one page of the posts that match all filters, newest first. Without filters, or by
 * account, platform, status, source or group alone, only the page is read. A keyword reads one
 * post. Any other filter reads all rows of the date range, and a search also reads their texts.
 *
 * @throws 400 if the date range ends before it begins.
 */
export async function listPosts(
  organizationId: string,
  filters: PostFilters,
  request: PageRequest,
): Promise<Listed> {
  const { items, pagination } = await findRows(organizationId, filters, request);
  const accountIds = [...new Set(items.map(({ targetAccountId }) => targetAccountId))];
  const [posts, accounts] = await Promise.all([
    getMany<ContentPost>(items.map(({ id }) => keys.contentPost(organizationId, id))),
    getMany<SocialAccount>(accountIds.map((id) => keys.socialAccount(organizationId, id))),
  ]);

  return {
    items: posts.filter((post) => post !== undefined),
    accounts: accounts.filter((account) => account !== undefined),
    pagination,
  };
}

function findRows(
  organizationId: string,
  filters: PostFilters,
  request: PageRequest,
): Promise<Page<Row>> {
  checkDates(filters);
  const asked = Object.entries(filters).filter(([, value]) => value !== undefined);
  const [only, ...others] = asked;
  if (!only) {
    const list = { index: allPosts, organizationId, value: 'post' };
    const total = countPosts(organizationId, 'all', '');

    return listIndexPage(list, request, total) as Promise<Page<IndexRow & Row>>;
  }
  const facet = facetOf(only[0]);
  if (others.length === 0 && facet) {
    return listFacet(organizationId, facet, String(only[1]), request);
  }

  return pickMatching(organizationId, filters, request);
}

/** @throws 400 */
export function checkDates({ dateFrom, dateTo }: Pick<PostFilters, 'dateFrom' | 'dateTo'>): void {
  if (dateFrom && dateTo && dateFrom > dateTo) {
    throw badRequest('dateFrom must not be after dateTo');
  }
}

function facetOf(filter: string): PostFacet | undefined {
  return facets[filter];
}

function listFacet(
  organizationId: string,
  facet: PostFacet,
  value: string,
  request: PageRequest,
): Promise<Page<Row>> {
  const range = ranges.postEntries(organizationId, facet, value);

  return listPage<Row>(range, request, () => countPosts(organizationId, facet, value));
}

async function pickMatching(
  organizationId: string,
  filters: PostFilters,
  request: PageRequest,
): Promise<Page<Row>> {
  const found =
    filters.keyword === undefined
      ? await findByDate(organizationId, filters)
      : await findByKeyword(organizationId, filters.keyword, filters);
  const newestFirst = found.toSorted((one, other) => (one.id < other.id ? 1 : -1));

  return pickPage(newestFirst, request);
}

/** True if a date row passes the filters that need no text. */
export function passes(
  row: Pick<PostDate, 'targetAccountId' | 'platform' | 'tags' | 'state' | 'origin' | 'groupId'>,
  { socialAccountId, platform, tags, status, source, groupId }: PostFilters,
): boolean {
  return (
    (socialAccountId === undefined || row.targetAccountId === socialAccountId) &&
    (platform === undefined || row.platform === platform) &&
    (status === undefined || row.state === status) &&
    (source === undefined || row.origin === source) &&
    (groupId === undefined || row.groupId === groupId) &&
    (tags === undefined || tags.length === 0 || tags.some((tag) => row.tags.includes(tag)))
  );
}

async function findByDate(organizationId: string, filters: PostFilters): Promise<readonly Row[]> {
  const { dateFrom, dateTo, search } = filters;
  const rows = await query<PostDate>(ranges.postDates(organizationId, dateFrom, dateTo));
  const passing = rows.filter((row) => !row.isDeleted && passes(row, filters));

  return search === undefined ? passing : searchTexts(organizationId, passing, search);
}

async function searchTexts(
  organizationId: string,
  rows: readonly PostDate[],
  search: string,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  const matches = textSearch(search);
  for (let index = 0; index < rows.length; index += batch) {
    const posts = await getMany<ContentPost>(
      rows.slice(index, index + batch).map(({ id }) => keys.contentPost(organizationId, id)),
    );
    found.push(
      ...posts.filter((post) => post !== undefined).filter(({ content }) => matches(content)),
    );
  }

  return found;
}

/** A keyword belongs to at most one post, whose id is in the claim. */
async function findByKeyword(
  organizationId: string,
  keyword: string,
  filters: PostFilters,
): Promise<readonly Row[]> {
  const claim = await get<Pick<Row, 'id'>>(postKeywordKey(organizationId, keyword));
  const post = claim && (await get<ContentPost>(keys.contentPost(organizationId, claim.id)));
  if (!post || post.state === 'DELETED' || !passes({ ...post, origin: sourceOf(post) }, filters)) {
    return [];
  }
  const { dateFrom = '', dateTo, search } = filters;
  const date = postDateOf(post);
  const isInTime = date >= dateFrom && (dateTo === undefined || date <= dateTo);

  return isInTime && textSearch(search)(post.content) ? [post] : [];
}
