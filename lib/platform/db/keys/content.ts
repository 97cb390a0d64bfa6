import {
  beginningWith,
  between,
  counterShard,
  inTenant,
  type Key,
  key,
  last,
  tenant,
} from './key.ts';

export const contentKeys = {
  /** In its own partition, because publishing writes a post several times. */
  contentPost: (organizationId: string, postId: string) =>
    key(`${tenant(organizationId)}#POST#${postId}`, 'POST'),
  /** The first comment of a published post, until its outcome is known. */
  firstComment: (organizationId: string, postId: string) =>
    key(contentKeys.contentPost(organizationId, postId).pk, 'FIRST_COMMENT'),
  /** A post in the list by date, for date ranges and combined filters. */
  postDate: (organizationId: string, date: string, postId: string) =>
    key(`${tenant(organizationId)}#POST_DATES`, `${date}#${postId}`),
  /** A post in the list of one facet value. */
  postEntry: (organizationId: string, facet: PostFacet, value: string, postId: string) =>
    key(`${tenant(organizationId)}#POST_LISTS`, `${facet}#${value}#${postId}`),
  postCounter: (organizationId: string, facet: PostFacet | 'all', value: string, shard: number) =>
    key(`${tenant(organizationId)}#POST_COUNTS`, `${facet}#${value}#${counterShard(shard)}`),
  /** Metrics of a published post at the end of a day. For the current day, up to now. */
  postMetrics: (organizationId: string, postId: string, date: string) =>
    key(`${tenant(organizationId)}#POST_METRICS`, `${postId}#${date}`),
  /** Maps a network's post id to our post. */
  publishedPost: (organizationId: string, accountId: string, platformPostId: string) =>
    key(`${tenant(organizationId)}#PUBLISHED`, `${accountId}#${platformPostId}`),
  /** Makes a post's keyword unique within the organization. */
  postKeyword: (organizationId: string, keywordHash: string) =>
    inTenant(organizationId, `UNIQUE#POST_KEYWORD#${keywordHash}`),
  contentGroup: (organizationId: string, groupId: string) =>
    key(`${tenant(organizationId)}#POST_GROUPS`, groupId),
  /**
   * A minute in which an account has a scheduled post. `holder` is the post's id, or `SLOT` for the
   * claim of a posting slot.
   */
  postMinute: (organizationId: string, accountId: string, minute: string, holder: string) =>
    key(`${tenant(organizationId)}#POST_MINUTES`, `${accountId}#${minute}#${holder}`),
  postingSlots: (organizationId: string) => inTenant(organizationId, 'POSTING_SLOTS'),
  calendarFeed: (organizationId: string) => inTenant(organizationId, 'CALENDAR_FEED'),
};

export const contentRanges = {
  postDates: (organizationId: string, from = '', to: string = last) =>
    between(contentKeys.postDate(organizationId, '', '').pk, from || ' ', `${to}${last}`),
  /** Minutes sort as text: `2035-01-15T09:30`. Both bounds are included. */
  postMinutes: (
    organizationId: string,
    accountId: string,
    { from, to }: { readonly from: string; readonly to: string },
  ) =>
    between(
      contentKeys.postMinute(organizationId, '', '', '').pk,
      `${accountId}#${from}`,
      `${accountId}#${to}#${last}`,
    ),
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
