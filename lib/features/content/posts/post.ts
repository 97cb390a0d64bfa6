import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import type { Handle, PostMetrics, Publication } from '#lib/vendors/networks/network.ts';
import type { PostStatus } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { Timing } from './timing.ts';

/**
 * How far a publication has got:
 * - `PREPARED`: nothing is visible; what is prepared at the network is in the handle.
 * - `ARMED`: the call that makes it visible may have been sent from here on.
 * - `SENT`: the network has accepted it and is at work.
 * - `CONFIRMED`, `REJECTED`: it is published; it is certainly not.
 * - `UNCONFIRMED`: sent, and nobody knows what became of it.
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
  | 'REFUSED';

/**
 * A post, as it is stored. Names of attributes that leads and conversations are listed by
 * (`status`, `socialAccountId`, `accountId`) are not used here, so that no post is listed among them.
 */
export type ContentPost = {
  readonly id: string;
  readonly organizationId: string;
  readonly list: 'post' | 'deletedPost';
  readonly listShard: number;
  readonly targetAccountId: string;
  readonly platform: Platform;
  readonly content: string;
  readonly mediaUrls: readonly string[];
  readonly tags: readonly string[];
  readonly keyword?: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly state: PostStatus;
  readonly scheduledAt?: string;
  readonly publishedAt?: string;
  readonly platformPostId?: string;
  readonly url?: string;
  readonly failureReason?: string;
  readonly failureCode?: FailureCode;

  /** Made without `scheduledAt`, and its caller waits: what fails leaves nothing behind. */
  readonly isImmediate?: boolean;
  /** Raised by whoever takes the post; all later writes of a former owner are refused. */
  readonly attempt: number;
  /** Until then its owner is at work. */
  readonly leaseUntil?: string;
  readonly phase?: PublishPhase;
  readonly handle?: Handle;
  /** When preparing began. */
  readonly preparingSince?: string;
  /** When the call that makes it visible was about to be sent. */
  readonly armedAt?: string;
  /** What was sent, where nobody knows what became of it. */
  readonly sent?: Publication;
  /** Tries that failed and proved that nothing was published. */
  readonly tries: number;
  /** How often it was looked for at the network in vain. */
  readonly looks?: number;
  readonly duePk?: string;
  readonly dueAt?: string;

  /** As the latest snapshot has them. */
  readonly figures?: PostMetrics;
  readonly timing?: Timing;
  readonly snapshotAt?: string;
  readonly expiresAtSeconds?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/**
 * The call that made the post died before anything was sent, and its caller was never answered: the
 * call is sent again by whoever made it, and this post is not to be there then.
 */
export function wasAbandoned({ isImmediate = false, phase = 'PREPARED' }: ContentPost): boolean {
  return isImmediate && phase === 'PREPARED';
}

/** By when filters and ranges go. */
export function dateOf(post: Pick<ContentPost, 'publishedAt' | 'scheduledAt' | 'createdAt'>) {
  return post.publishedAt ?? post.scheduledAt ?? post.createdAt;
}

export function keyOf({ organizationId, id }: Pick<ContentPost, 'organizationId' | 'id'>): Key {
  return keys.contentPost(organizationId, id);
}

/** @throws 404, for a deleted post too. */
export async function requirePost(organizationId: string, postId: string): Promise<ContentPost> {
  const post = await get<ContentPost>(keys.contentPost(organizationId, postId));
  if (!post || post.state === 'DELETED') {
    throw notFound('Content post');
  }

  return post;
}

type NamedAccount = { readonly id: string; readonly platformUserName: string };

/** How a post is shown, with the account that it goes out by, if that still exists. */
export function presentPost(post: ContentPost, account: NamedAccount | undefined) {
  return {
    ...post,
    socialAccountId: post.targetAccountId,
    status: post.state,
    mediaUrls: [...post.mediaUrls],
    tags: [...post.tags],
    socialAccount: account
      ? { id: account.id, platform: post.platform, name: account.platformUserName }
      : null,
  };
}

/** The post after a change of its attributes; null takes one away. */
export function changed(post: ContentPost, set: Readonly<Record<string, unknown>>): ContentPost {
  return Object.fromEntries(
    Object.entries({ ...post, ...set }).filter(([, value]) => value !== null),
  ) as ContentPost;
}
