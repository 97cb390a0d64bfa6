import { type ContentPost, wasAbandoned } from '#lib/features/content/posts/post.ts';
import {
  accountRejected,
  publicationProblems,
  scheduleProblems,
} from '#lib/features/content/posts/post-rules.ts';
import { planPost, planRemoval } from '#lib/features/content/posts/post-writes.ts';
import { finalizePost } from '#lib/features/content/publishing/finalize-post.ts';
import {
  duePublication,
  leased,
  OwnershipLostError,
} from '#lib/features/content/publishing/ownership.ts';
import { publishPost } from '#lib/features/content/publishing/publish-post.ts';
import type { Media } from '#lib/features/media/media.ts';
import { requireReadyMedia } from '#lib/features/media/ready-media.ts';
import {
  findSocialAccount,
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { secondMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { listShards, shardOf } from '#lib/platform/db/sharded-list.ts';
import { write } from '#lib/platform/db/write.ts';
import { distinctTags } from '#lib/platform/distinct-tags.ts';
import { badRequest, upstream } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { asApiError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import type { createContentPost } from '#schemas/content.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { planScheduledEvent } from './scheduled-event.ts';

export type NewPost = BodyOf<typeof createContentPost>;

/** How long the request waits for media processing before the publisher takes over. */
const maxMediaWaitMs = 12 * secondMs;

export type CreatedPost = {
  readonly post: ContentPost;
  /** Absent if an earlier request created the post and the account was disconnected since. */
  readonly account: SocialAccount | undefined;
};

/**
 * Creates a post as a draft, scheduled, or published immediately. An immediate post is stored
 * before the network is called. If it certainly was not published, it is deleted again. If that is
 * unknown, it is stored as FAILED and checked at the network later. The intent's id becomes the
 * post's id, so that a repeated intent returns the same post.
 *
 * @throws 400 for content that the network rejects, 404 for an unknown account or medium, 409 for a keyword
 * that another post has, and 401, 403, 400 or 502 for network failures.
 */
export async function createPost(
  organizationId: string,
  intent: Intent,
  details: NewPost,
): Promise<CreatedPost> {
  const made = intent.isRepeated ? await findExisting(organizationId, intent) : undefined;
  if (made) {
    return made;
  }
  const [account, media] = await Promise.all([
    requireSocialAccount(organizationId, details.socialAccountId),
    requireReadyMedia(organizationId, details.mediaIds ?? []),
  ]);
  await checkPost(details, account, media);
  const post = newPost(organizationId, intent.id, details);
  const event = post.isImmediate ? [] : await planScheduledEvent(post);
  await write(...planPost(post), ...event);

  return { account, post: post.isImmediate ? await publishImmediately(post) : post };
}

/**
 * Returns the post that an earlier request with the same intent created.
 *
 * @throws 502 if that request crashed before sending, until the publisher has deleted the post.
 */
async function findExisting(
  organizationId: string,
  { id }: Intent,
): Promise<CreatedPost | undefined> {
  const post = await get<ContentPost>(keys.contentPost(organizationId, id));
  if (!post) {
    return undefined;
  }
  if (wasAbandoned(post)) {
    throw upstream('social', new Error('The post was abandoned, and is about to be taken away'));
  }

  return { post, account: await findSocialAccount(organizationId, post.targetAccountId) };
}

async function checkPost(
  details: NewPost,
  account: SocialAccount,
  media: readonly Media[],
): Promise<void> {
  const { platform, draft, scheduledAt } = details;
  const problems = [
    ...(platform === account.platform
      ? []
      : [`platform must match the social account's platform: ${account.platform}`]),
    ...(scheduledAt ? scheduleProblems(scheduledAt) : []),
    ...(draft
      ? []
      : await publicationProblems({ ...details, mediaUrls: details.mediaUrls ?? [], media })),
  ];
  if (problems.length > 0) {
    throw badRequest(...problems);
  }
  if (!account.isActive && !draft) {
    throw accountRejected(account);
  }
}

export function newPost(organizationId: string, id: string, details: NewPost): ContentPost {
  const {
    socialAccountId: targetAccountId,
    draft,
    scheduledAt,
    tags,
    mediaUrls,
    mediaIds,
    ...given
  } = details;
  const createdAt = timestamp();
  const common = {
    ...given,
    id,
    organizationId,
    list: 'post',
    listShard: shardOf(id, listShards),
    targetAccountId,
    mediaUrls: mediaUrls ?? [],
    mediaIds: mediaIds ?? [],
    tags: distinctTags(tags),
    origin: 'CREATED',
    tries: 0,
    attempt: 0,
    createdAt,
    updatedAt: createdAt,
    ...(scheduledAt ? { scheduledAt } : {}),
  };
  if (draft) {
    return { ...common, state: 'DRAFT' } as ContentPost;
  }
  if (scheduledAt) {
    const due = duePublication(scheduledAt, { id, targetAccountId });

    return { ...common, ...due, state: 'SCHEDULED' } as ContentPost;
  }
  const owned = { ...leased(targetAccountId), attempt: 1, isImmediate: true };

  return { ...common, ...owned, state: 'SCHEDULED' } as ContentPost;
}

async function publishImmediately(post: ContentPost): Promise<ContentPost> {
  const outcome = await publishPost(post, maxMediaWaitMs);
  if (outcome.state === 'later' || outcome.state === 'refused') {
    await write(...planRemoval(post, () => new OwnershipLostError(post.id)));
    const { failure } = outcome;
    throw failure instanceof NetworkError ? asApiError(failure) : failure;
  }

  return finalizePost(post, outcome);
}
