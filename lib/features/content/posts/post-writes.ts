import { createHash } from 'node:crypto';
import {
  type MediaInUse,
  planMediaUses,
  planNewMediaUses,
} from '#lib/features/media/media-uses.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { contentKeys, contentRanges, type PostFacet } from '#lib/platform/db/keys/content.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { query } from '#lib/platform/db/read.ts';
import { count, create, discard, put, remove, type Write } from '#lib/platform/db/write.ts';
import { apiError } from '#lib/platform/errors/failures.ts';
import { organizationEventPlanner } from '#lib/platform/webhooks/organization-events.ts';
import type { PostMetrics } from '#lib/vendors/networks/network.ts';
import type { PostSource } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import {
  type ContentPost,
  keyOf,
  postDateOf,
  presentPost,
  sourceOf,
  unpublishedMediaOf,
} from './post.ts';
import { planMinute } from './post-minutes.ts';
import { planDeletedClaim, planPublishedClaim } from './published-claim.ts';

/** Post counters are sharded so that concurrent writes do not contend for one item. */
const counterShards = 8;

/**
 * The row of a post by its date. It contains everything that filters and statistics need, so that
 * queries for a date range read only the rows in that range.
 */
export type PostDate = {
  readonly id: string;
  readonly targetAccountId: string;
  readonly platform: Platform;
  readonly tags: readonly string[];
  readonly state: ContentPost['state'];
  readonly origin: PostSource;
  readonly groupId?: string;
  readonly wasPublished?: boolean;
  /** Hidden from lists, but still counted in analytics. */
  readonly isDeleted?: boolean;
  readonly figures?: PostMetrics;
};

/** Keywords are compared exactly, in Unicode form NFC. */
export function postKeywordKey(organizationId: string, keyword: string): Key {
  const exact = keyword.trim().normalize('NFC');
  const hash = createHash('sha256').update(exact).digest('base64url');

  return contentKeys.postKeyword(organizationId, hash);
}

export function dateKey(post: ContentPost): Key {
  return contentKeys.postDate(post.organizationId, postDateOf(post), post.id);
}

export function planDate(post: ContentPost): Write {
  const row: PostDate = {
    id: post.id,
    targetAccountId: post.targetAccountId,
    platform: post.platform,
    tags: post.tags,
    state: post.state,
    origin: sourceOf(post),
    ...(post.groupId ? { groupId: post.groupId } : {}),
    ...(post.publishedAt ? { wasPublished: true } : {}),
    ...(post.figures ? { figures: post.figures } : {}),
  };

  return put(dateKey(post), row);
}

type FacetValue = readonly [facet: PostFacet, value: string];
type ListValue = FacetValue | readonly ['all', ''];

/** The lists that a post belongs to. */
function facetValuesOf(post: ContentPost): readonly FacetValue[] {
  return [
    ['account', post.targetAccountId],
    ['platform', post.platform],
    ['status', post.state],
    ['source', sourceOf(post)],
    ...(post.groupId ? [['group', post.groupId] as const] : []),
  ];
}

function planFacetCount(
  { organizationId, id }: ContentPost,
  list: ListValue,
  amount: 1 | -1,
): Write {
  return planListCount(organizationId, list, shardOf(id, counterShards), amount);
}

function planListCount(
  organizationId: string,
  [facet, value]: ListValue,
  shard: number,
  total: number,
): Write {
  return count(contentKeys.postCounter(organizationId, facet, value, shard), { total });
}

function planEntry({ organizationId, id, targetAccountId }: ContentPost, value: FacetValue): Write {
  return create(contentKeys.postEntry(organizationId, ...value, id), { id, targetAccountId });
}

function planListing(post: ContentPost, values: readonly FacetValue[]): readonly Write[] {
  return values.flatMap((value) => [planEntry(post, value), planFacetCount(post, value, 1)]);
}

/**
 * Writes for the list entries of several posts, with one count per list. They need seven writes for
 * each post of a group, and at most ten for all of them.
 */
export function planListings(posts: readonly ContentPost[]): readonly Write[] {
  const [first] = posts;
  if (!first) {
    return [];
  }
  const { organizationId, id } = first;
  const shard = shardOf(id, counterShards);
  const listed = posts.flatMap((post) => facetValuesOf(post));
  const values: readonly ListValue[] = [...posts.map(() => ['all', ''] as const), ...listed];
  const counted = Map.groupBy(values, (value) => value.join('#'));

  return [
    ...posts.flatMap((post) => [
      planDate(post),
      ...facetValuesOf(post).map((value) => planEntry(post, value)),
    ]),
    ...[...counted.values()].flatMap(([value, ...others]) =>
      value ? planListCount(organizationId, value, shard, 1 + others.length) : [],
    ),
  ];
}

function planDelisting(post: ContentPost, values: readonly FacetValue[]): readonly Write[] {
  return values.flatMap((value) => [
    discard(contentKeys.postEntry(post.organizationId, ...value, post.id)),
    planFacetCount(post, value, -1),
  ]);
}

/**
 * Moves a post to the list of its new state, and counts the media it uses. It belongs in the
 * transaction that changes the state, which must fail if the state has changed since `before` was
 * read.
 */
export function planStateMove(before: ContentPost, after: ContentPost): readonly Write[] {
  return [
    ...planMediaUses(mediaInUse(before), mediaInUse(after)),
    ...(before.state === after.state
      ? []
      : [
          ...planDelisting(before, [['status', before.state]]),
          ...planListing(after, [['status', after.state]]),
        ]),
  ];
}

/** Media that cannot be deleted because the post is not published yet. */
function mediaInUse(post: ContentPost): MediaInUse {
  const { organizationId, state } = post;
  const isWaiting = state === 'DRAFT' || state === 'SCHEDULED';

  return { organizationId, mediaIds: new Set(isWaiting ? unpublishedMediaOf(post) : []) };
}

export const keywordTaken = 'Content already exists with this keyword';

/** Writes for a new post: its list entries, counters, minute and keyword claim. */
export function planPost(post: ContentPost): readonly Write[] {
  const { organizationId, id, keyword } = post;

  return [
    ...(keyword
      ? [
          create(postKeywordKey(organizationId, keyword), { id }, () =>
            apiError('CONTENT_KEYWORD_EXISTS', keywordTaken),
          ),
        ]
      : []),
    create(keyOf(post), post),
    planDate(post),
    ...planMinute(undefined, post),
    ...planMediaUses(undefined, mediaInUse(post)),
    planFacetCount(post, ['all', ''], 1),
    ...planListing(post, facetValuesOf(post)),
  ];
}

/**
 * Writes for new posts of a group, before they are in lists. Each medium is written once, because
 * posts of a group share media.
 */
export function planStagedPosts(posts: readonly ContentPost[]): readonly Write[] {
  return [
    ...posts.flatMap((post) => [create(keyOf(post), post), ...planMinute(undefined, post)]),
    ...planNewMediaUses(posts.map(mediaInUse)),
  ];
}

/**
 * Writes for several new, published posts of one account: their list entries and claims, and one
 * count per list. At most 12 fit into a transaction.
 */
export function planImportedPosts(posts: readonly ContentPost[]): readonly Write[] {
  return [
    ...posts.flatMap((post) => [
      planPublishedClaim(post, post.platformPostId ?? ''),
      create(keyOf(post), post),
    ]),
    ...planListings(posts),
  ];
}

/** Removes a post from lists and counters, and releases its keyword and minute. */
export function planUnlisting(post: ContentPost): readonly Write[] {
  const { organizationId, keyword, platformPostId } = post;

  return [
    ...(keyword ? [discard(postKeywordKey(organizationId, keyword))] : []),
    ...(platformPostId ? [planDeletedClaim(post, platformPostId)] : []),
    ...planMediaUses(mediaInUse(post), undefined),
    ...planMinute(post, undefined),
    planFacetCount(post, ['all', ''], -1),
    ...planDelisting(post, facetValuesOf(post)),
  ];
}

/**
 * Deletes a post completely. Throws `onConditionFailed()` if the post has changed since the read.
 */
export function planRemoval(post: ContentPost, onConditionFailed: () => Error): readonly Write[] {
  return [
    remove(keyOf(post), { when: equals('attempt', post.attempt), onConditionFailed }),
    discard(dateKey(post)),
    ...planUnlisting(post),
  ];
}

/** Returns the number of all posts, or of those with one value of a facet. */
export async function countPosts(
  organizationId: string,
  facet: PostFacet | 'all',
  value: string,
): Promise<number> {
  const shards = await query<{ total?: number }>(
    contentRanges.postCounters(organizationId, facet, value),
  );

  return shards.reduce((sum, { total = 0 }) => sum + total, 0);
}

/** Plans the event of a post that is scheduled. Other posts have none. */
export async function planScheduledEvent(post: ContentPost): Promise<readonly Write[]> {
  if (post.state !== 'SCHEDULED') {
    return [];
  }
  const [planEvents, account] = await Promise.all([
    organizationEventPlanner(post.organizationId),
    findSocialAccount(post.organizationId, post.targetAccountId),
  ]);

  const contentPost = presentPost(post, account);

  return planEvents([{ type: 'content.scheduled', data: { contentPostId: post.id, contentPost } }]);
}
