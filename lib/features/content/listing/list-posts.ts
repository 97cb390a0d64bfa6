import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { countPosts } from '#lib/features/content/posts/post-writes.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { type IndexRow, listIndexPage } from '#lib/platform/db/lists/sharded-list.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { facetOf, type PostFilters } from './post-filters.ts';
import { listByDate, type PageOfPosts } from './posts-by-date.ts';

type Row = Pick<ContentPost, 'id' | 'targetAccountId'>;

type Listed = PageOfPosts<ContentPost> & {
  /** Accounts of the listed posts, if they are still connected. */
  readonly accounts: readonly SocialAccount[];
};

/**
 * Returns one page of the posts that match all filters. Without filters, or with only one filter by
 * account, platform, status, source or group, posts are sorted by creation. Other lists are sorted
 * by date. The number of rows that a page reads is limited, however many posts there are.
 */
export async function listPosts(
  organizationId: string,
  filters: PostFilters,
  request: PageRequest,
): Promise<Listed> {
  const { items, pagination } = await findRows(organizationId, filters, request);
  const accountIds = [...new Set(items.map(({ targetAccountId }) => targetAccountId))];
  const [posts, accounts] = await Promise.all([
    getMany<ContentPost>(items.map(({ id }) => contentKeys.contentPost(organizationId, id))),
    getMany<SocialAccount>(accountIds.map((id) => socialKeys.socialAccount(organizationId, id))),
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
): Promise<PageOfPosts<Row>> {
  const [only, ...others] = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (!only) {
    const total = countPosts(organizationId, 'all', '');

    return listIndexPage({ organizationId, kind: 'post' }, request, total) as Promise<
      Page<IndexRow & Row>
    >;
  }
  const facet = facetOf(only[0]);
  if (others.length === 0 && facet) {
    const value = String(only[1]);
    const range = contentRanges.postEntries(organizationId, facet, value);

    return listPage<Row>(range, request, () => countPosts(organizationId, facet, value));
  }

  return listByDate(organizationId, filters, request);
}
