import { createHash } from 'node:crypto';
import { equals } from '#lib/platform/db/conditions.ts';
import type { PostFacet } from '#lib/platform/db/keys/content.ts';
import { type Key, keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { shardOf } from '#lib/platform/db/sharded-list.ts';
import { count, create, discard, put, remove, type Write } from '#lib/platform/db/write.ts';
import { conflict } from '#lib/platform/errors/failures.ts';
import type { PostMetrics } from '#lib/vendors/networks/network.ts';
import type { PostSource } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import { type ContentPost, keyOf, postDateOf, sourceOf } from './post.ts';

/** Post counters are sharded so that concurrent writes do not contend for one item. */
const counterShards = 8;

/**
 * The row of a post under its date. It has everything that filters and statistics need, so that
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

/** Keywords are compared exactly, by their NFC form. */
export function postKeywordKey(organizationId: string, keyword: string): Key {
  const exact = keyword.trim().normalize('NFC');
  const hash = createHash('sha256').update(exact).digest('base64url');

  return keys.postKeyword(organizationId, hash);
}

export function dateKey(post: ContentPost): Key {
  return keys.postDate(post.organizationId, postDateOf(post), post.id);
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
  [facet, value]: FacetValue | readonly ['all', ''],
  amount: 1 | -1,
): Write {
  const shard = shardOf(id, counterShards);

  return count(keys.postCounter(organizationId, facet, value, shard), { total: amount });
}

function planListing(post: ContentPost, values: readonly FacetValue[]): readonly Write[] {
  const { organizationId, id, targetAccountId } = post;

  return values.flatMap((value) => [
    create(keys.postEntry(organizationId, ...value, id), { id, targetAccountId }),
    planFacetCount(post, value, 1),
  ]);
}

function planDelisting(post: ContentPost, values: readonly FacetValue[]): readonly Write[] {
  return values.flatMap((value) => [
    discard(keys.postEntry(post.organizationId, ...value, post.id)),
    planFacetCount(post, value, -1),
  ]);
}

/**
 * Moves a post to the list of its new state. Belongs into the transaction that changes the state,
 * which must fail if the state has changed since `before` was read.
 */
export function planStateMove(before: ContentPost, after: ContentPost): readonly Write[] {
  return before.state === after.state
    ? []
    : [
        ...planDelisting(before, [['status', before.state]]),
        ...planListing(after, [['status', after.state]]),
      ];
}

export const keywordTaken = 'Content already exists with this keyword';

/** Writes for a new post: its list entries, counters and keyword claim. */
export function planPost(post: ContentPost): readonly Write[] {
  const { organizationId, id, keyword } = post;

  return [
    ...(keyword
      ? [create(postKeywordKey(organizationId, keyword), { id }, () => conflict(keywordTaken))]
      : []),
    create(keyOf(post), post),
    planDate(post),
    planFacetCount(post, ['all', ''], 1),
    ...planListing(post, facetValuesOf(post)),
  ];
}

/** Claims the network's post id, so that two of our posts cannot have the same one. */
export function planPublishedClaim(
  {
    organizationId,
    targetAccountId,
    id,
  }: Pick<ContentPost, 'organizationId' | 'targetAccountId' | 'id'>,
  platformPostId: string,
): Write {
  return create(keys.publishedPost(organizationId, targetAccountId, platformPostId), { id });
}

export async function findPostIdByPlatformId(
  organizationId: string,
  accountId: string,
  platformPostId: string,
): Promise<string | undefined> {
  const claim = await get<{ readonly id: string }>(
    keys.publishedPost(organizationId, accountId, platformPostId),
  );

  return claim?.id;
}

/** Removes a post from lists and counters, and releases its keyword. */
export function planUnlisting(post: ContentPost): readonly Write[] {
  const { organizationId, targetAccountId, keyword, platformPostId } = post;

  return [
    ...(keyword ? [discard(postKeywordKey(organizationId, keyword))] : []),
    ...(platformPostId
      ? [discard(keys.publishedPost(organizationId, targetAccountId, platformPostId))]
      : []),
    planFacetCount(post, ['all', ''], -1),
    ...planDelisting(post, facetValuesOf(post)),
  ];
}

/** Deletes a post without a trace. Throws `refused()` if it changed since the read. */
export function planRemoval(post: ContentPost, refused: () => Error): readonly Write[] {
  return [
    remove(keyOf(post), { when: equals('attempt', post.attempt), refused }),
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
  const shards = await query<{ total?: number }>(ranges.postCounters(organizationId, facet, value));

  return shards.reduce((sum, { total = 0 }) => sum + total, 0);
}
