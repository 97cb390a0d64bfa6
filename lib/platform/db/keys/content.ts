import { beginningWith, counterShard, type Key, type KeyRange, last, tenant } from './key.ts';

export const contentKeys = {
  /** In its own partition, because publishing writes a post several times. */
  contentPost: (organizationId: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST#${postId}`,
    sk: 'POST',
  }),
  /** The first comment of a published post, until its outcome is known. */
  firstComment: (organizationId: string, postId: string): Key => ({
    pk: contentKeys.contentPost(organizationId, postId).pk,
    sk: 'FIRST_COMMENT',
  }),
  /** A post in the list by date, for date ranges and combined filters. */
  postDate: (organizationId: string, date: string, postId: string): Key => ({
    pk: `${tenant(organizationId)}#POST_DATES`,
    sk: `${date}#${postId}`,
  }),
  /** A post in the list of one facet value. */
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
  /** Metrics of a published post at the end of a day. For the current day, up to now. */
  postMetrics: (organizationId: string, postId: string, date: string): Key => ({
    pk: `${tenant(organizationId)}#POST_METRICS`,
    sk: `${postId}#${date}`,
  }),
  /** Maps a network's post id to our post. */
  publishedPost: (organizationId: string, accountId: string, platformPostId: string): Key => ({
    pk: `${tenant(organizationId)}#PUBLISHED`,
    sk: `${accountId}#${platformPostId}`,
  }),
  /** Makes a post's keyword unique within the organization. */
  postKeyword: (organizationId: string, keywordHash: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#POST_KEYWORD#${keywordHash}`,
  }),
  contentGroup: (organizationId: string, groupId: string): Key => ({
    pk: `${tenant(organizationId)}#POST_GROUPS`,
    sk: groupId,
  }),
  /**
   * A minute in which an account has a scheduled post. `holder` is the post's id, or `SLOT` for the
   * claim of a posting slot.
   */
  postMinute: (organizationId: string, accountId: string, minute: string, holder: string): Key => ({
    pk: `${tenant(organizationId)}#POST_MINUTES`,
    sk: `${accountId}#${minute}#${holder}`,
  }),
  postingSlots: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'POSTING_SLOTS',
  }),
  calendarFeed: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'CALENDAR_FEED',
  }),
};

export const contentRanges = {
  postDates: (organizationId: string, from = '', to: string = last): KeyRange => ({
    pk: contentKeys.postDate(organizationId, '', '').pk,
    from: from || ' ',
    to: `${to}${last}`,
  }),
  /** Minutes sort as text: `2035-01-15T09:30`. Both bounds are included. */
  postMinutes: (
    organizationId: string,
    accountId: string,
    { from, to }: { readonly from: string; readonly to: string },
  ): KeyRange => ({
    pk: contentKeys.postMinute(organizationId, '', '', '').pk,
    from: `${accountId}#${from}`,
    to: `${accountId}#${to}#${last}`,
  }),
  postEntries: (organizationId: string, facet: PostFacet, value: string) =>
    beginningWith(contentKeys.postEntry(organizationId, facet, '', '').pk, `${facet}#${value}#`),
  postCounters: (organizationId: string, facet: PostFacet | 'all', value: string) =>
    beginningWith(contentKeys.postCounter(organizationId, facet, '', 0).pk, `${facet}#${value}#`),
};

export type PostFacet = 'account' | 'platform' | 'status' | 'source' | 'group';

/** Returns the minute in a key of `postMinute`. */
export function minuteOfKey({ sk }: Pick<Key, 'sk'>): string {
  return sk.split('#')[1] ?? '';
}

export function postOfKey({ pk }: Pick<Key, 'pk'>) {
  const [, organizationId = '', , postId = ''] = pk.split('#');

  return { organizationId, postId };
}
