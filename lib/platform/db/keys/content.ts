import { beginningWith, counterShard, type Key, type KeyRange, last, tenant } from './key.ts';

export const contentKeys = {
  /** A post has a partition of its own: publishing writes it several times. */
  contentPost: (organizationId: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST#${postId}`,
    sk: 'POST',
  }),
  /** What is read of a post for a time and by several filters: in the order of the posts' dates. */
  postDate: (organizationId: string, date: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST_DATES`,
    sk: `${date}#${postId}`,
  }),
  /** A post in the list of all that have one value of a facet. */
  postEntry: (organizationId: string, facet: PostFacet, value: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST_LISTS`,
    sk: `${facet}#${value}#${postId}`,
  }),
  postCounter: (
    organizationId: string,
    facet: PostFacet | 'all',
    value: string,
    shard: number,
  ): Key => ({
    pk: `${tenant(organizationId)}#POST_COUNTS`,
    sk: `${facet}#${value}#${counterShard(shard)}`,
  }),
  /** The figures that a published post had at the end of a day, or has so far. */
  postMetrics: (organizationId: string, postId: string, date: string): Key => ({
    pk: `${tenant(organizationId)}#POST_METRICS`,
    sk: `${postId}#${date}`,
  }),
  /** Which post of ours a network's own id means. */
  publishedPost: (organizationId: string, accountId: string, platformPostId: string): Key => ({
    pk: `${tenant(organizationId)}#PUBLISHED`,
    sk: `${accountId}#${platformPostId}`,
  }),
  /** A post's keyword is its own within the organization. */
  postKeyword: (organizationId: string, keywordHash: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#POST_KEYWORD#${keywordHash}`,
  }),
  calendarFeed: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'CALENDAR_FEED',
  }),
};

export const contentRanges = {
  /** The posts whose date is one of these, the bounds included. */
  postDates: (organizationId: string, from = '', to: string = last): KeyRange => ({
    pk: contentKeys.postDate(organizationId, '', '').pk,
    from: from || ' ',
    to: `${to}${last}`,
  }),
  postEntries: (organizationId: string, facet: PostFacet, value: string) =>
    beginningWith(contentKeys.postEntry(organizationId, facet, '', '').pk, `${facet}#${value}#`),
  postCounters: (organizationId: string, facet: PostFacet | 'all', value: string) =>
    beginningWith(contentKeys.postCounter(organizationId, facet, '', 0).pk, `${facet}#${value}#`),
};

/** What posts are listed and counted by. */
export const postFacets = ['account', 'platform'] as const;

export type PostFacet = (typeof postFacets)[number];

/** The organization and the post that a post's own key names. */
export function postOfKey({ pk }: Pick<Key, 'pk'>) {
  const [, organizationId = '', , postId = ''] = pk.split('#');

  return { organizationId, postId };
}
