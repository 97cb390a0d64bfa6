import { contentKeys } from '#lib/platform/db/keys/content.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import type { ListShard } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import type { Handle, PostMetrics, Publication } from '#lib/vendors/networks/network.ts';
import type { PartStatus, PostSource, PostStatus } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { PostSettings } from '#schemas/post-settings.ts';
import { coverIdsOf } from './post-settings.ts';
import type { Timing } from './timing.ts';

/**
 * Progress of a publication:
 * - `PREPARED`: nothing is visible yet. The handle refers to the prepared content at the network.
 * - `ARMED`: the call that makes the post visible may have been sent.
 * - `SENT`: the network has accepted the post and is processing it.
 * - `CONFIRMED`: published. `REJECTED`: definitely not published.
 * - `UNCONFIRMED`: sent, but the outcome is unknown.
 */
export type PublishPhase = 'PREPARED' | 'ARMED' | 'SENT' | 'CONFIRMED' | 'UNCONFIRMED' | 'REJECTED';

export type FailureCode =
  | 'OUTCOME_UNKNOWN'
  | 'NOT_PUBLISHED'
  | 'RETRIES_EXHAUSTED'
  | 'MEDIA_NOT_READY'
  | 'ACCOUNT_DISCONNECTED'
  | 'TOKEN_INVALID'
  | 'SCOPE_MISSING'
  | 'LOCKED_PRIVATE'
  | 'REFUSED';

/** A further post of a thread, which replies to the one before it. */
export type ThreadPart = {
  readonly content: string;
  readonly mediaIds: readonly string[];
  /** Set when the network has published it. */
  readonly platformPostId?: string;
};

/** A comment of the account on its own post. */
export type FirstComment = {
  readonly text: string;
  readonly status: PartStatus;
  readonly platformCommentId?: string;
};

/**
 * A post, as stored. It does not use the attribute names `status`, `source`, `socialAccountId` and
 * `accountId`: they are index keys, so posts would appear in lists of leads and conversations.
 */
export type ContentPost = {
  readonly id: string;
  readonly organizationId: string;
  /** `stagedPost`: a post of a group that is being created. It is not in any list yet. */
  readonly list: ListShard<'post' | 'stagedPost' | 'deletedPost'>;
  readonly targetAccountId: string;
  readonly platform: Platform;
  readonly content: string;
  readonly mediaUrls: readonly string[];
  /** Library media. They follow the media of `mediaUrls`. */
  readonly mediaIds?: readonly string[];
  /** Depends on the platform. Absent in posts without settings. */
  readonly settings?: PostSettings;
  readonly tags: readonly string[];
  readonly keyword?: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly state: PostStatus;
  /** Absent in older posts, which were all created here. */
  readonly origin?: PostSource;
  readonly groupId?: string;
  readonly firstComment?: FirstComment;
  /** The posts that follow this one. `phase` and `handle` are about the first unpublished one. */
  readonly thread?: readonly ThreadPart[];
  readonly scheduledAt?: string;
  /** True if the post has claimed the posting slot at `scheduledAt`. */
  readonly isInSlot?: boolean;
  readonly publishedAt?: string;
  readonly platformPostId?: string;
  readonly url?: string;
  /** When the first part of a thread was sent. The post becomes PUBLISHED after the last part. */
  readonly threadStartedAt?: string;
  readonly failureReason?: string;
  readonly failureCode?: FailureCode;

  /**
   * True if it was created without `scheduledAt`, so the caller waits. A failure deletes the post.
   */
  readonly isImmediate?: boolean;
  /** Incremented by every owner. Later writes of a former owner are rejected. */
  readonly attempt: number;
  /** While this is in the future, the post has an owner. */
  readonly leaseUntil?: string;
  readonly phase?: PublishPhase;
  readonly handle?: Handle;
  readonly preparingSince?: string;
  /** Set right before the call that makes the post visible. */
  readonly armedAt?: string;
  /** The sent content, if the outcome is unknown. */
  readonly sent?: Publication;
  /** Failed attempts that definitely published nothing. */
  readonly tries: number;
  /** Number of checks at the network that did not find the post. */
  readonly looks?: number;
  readonly duePk?: string;
  readonly dueAt?: string;

  readonly figures?: PostMetrics;
  /** Number of followed personal links in answers to comments on the post. */
  readonly linkClicks?: number;
  readonly timing?: Timing;
  readonly snapshotAt?: string;
  readonly expiresAtSeconds?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/**
 * True if the request that created the post crashed before sending anything. Its caller got no
 * response and will retry, so this post must be deleted.
 */
export function wasAbandoned({ isImmediate = false, phase = 'PREPARED' }: ContentPost): boolean {
  return isImmediate && phase === 'PREPARED';
}

/** True for posts that disappear after 24 hours. */
export function isStory({ settings }: Pick<ContentPost, 'settings'>): boolean {
  return settings?.postType === 'STORY';
}

/** The date used by filters and date ranges. */
export function postDateOf(post: Pick<ContentPost, 'publishedAt' | 'scheduledAt' | 'createdAt'>) {
  return post.publishedAt ?? post.scheduledAt ?? post.createdAt;
}

export function keyOf({ organizationId, id }: Pick<ContentPost, 'organizationId' | 'id'>): Key {
  return contentKeys.contentPost(organizationId, id);
}

export function sourceOf({ origin = 'CREATED' }: Pick<ContentPost, 'origin'>): PostSource {
  return origin;
}

/** Returns a post, unless it was deleted. */
export async function findPost(
  organizationId: string,
  postId: string,
): Promise<ContentPost | undefined> {
  const post = await get<ContentPost>(contentKeys.contentPost(organizationId, postId));

  return post?.state === 'DELETED' ? undefined : post;
}

/** @throws 404, also for a deleted post. */
export async function requirePost(organizationId: string, postId: string): Promise<ContentPost> {
  return requireFound(await findPost(organizationId, postId), 'Content post');
}

/**
 * Returns the index in `thread` of the part to publish next: -1 is the post itself. Equals the
 * number of parts if all are published.
 */
export function nextPartOf({ platformPostId, thread = [] }: ContentPost): number {
  if (platformPostId === undefined) {
    return -1;
  }
  const index = thread.findIndex((part) => part.platformPostId === undefined);

  return index < 0 ? thread.length : index;
}

/** Returns the parts of the thread that are not published yet. */
export function unpublishedPartsOf(post: ContentPost): readonly ThreadPart[] {
  return (post.thread ?? []).slice(Math.max(0, nextPartOf(post)));
}

/** Returns the library media that are not published yet. */
export function unpublishedMediaOf(post: ContentPost): readonly string[] {
  const { mediaIds = [], platformPostId } = post;

  return [
    ...(platformPostId === undefined ? [...mediaIds, ...coverIdsOf(post.settings)] : []),
    ...unpublishedPartsOf(post).flatMap((part) => part.mediaIds),
  ];
}

/** True if the first part of a thread is published, but other parts are not. */
export function isThreadBegun(post: ContentPost): boolean {
  return post.state !== 'PUBLISHED' && post.platformPostId !== undefined;
}

function presentThread(post: ContentPost) {
  const next = nextPartOf(post);

  return (post.thread ?? []).map((part, index) => ({
    ...part,
    status: index === next ? statusOfNext(post) : statusOf(part),
  }));
}

function statusOf({ platformPostId }: ThreadPart): PartStatus {
  return platformPostId === undefined ? 'PENDING' : 'SENT';
}

/** If a thread stopped, the status is the status of the part where it stopped. */
function statusOfNext({ state, phase }: ContentPost): PartStatus {
  if (state !== 'FAILED') {
    return 'PENDING';
  }

  return phase === 'UNCONFIRMED' ? 'UNKNOWN' : 'FAILED';
}

type NamedAccount = { readonly id: string; readonly platformUserName: string };

export function presentPost(post: ContentPost, account: NamedAccount | undefined) {
  return {
    ...post,
    socialAccountId: post.targetAccountId,
    status: post.state,
    mediaIds: post.mediaIds ?? [],
    source: sourceOf(post),
    thread: presentThread(post),
    socialAccount: account && {
      id: account.id,
      platform: post.platform,
      name: account.platformUserName,
    },
  };
}

/** Returns the post with these attributes changed; null removes one. */
export function changed(post: ContentPost, set: Readonly<Record<string, unknown>>): ContentPost {
  return Object.fromEntries(
    Object.entries({ ...post, ...set }).filter(([, value]) => value !== null),
  ) as ContentPost;
}
