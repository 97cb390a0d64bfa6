import type { ContentPost } from '#lib/features/content/posts/post.ts';
import {
  distinctTags,
  publicationProblems,
  scheduleProblems,
} from '#lib/features/content/posts/post-rules.ts';
import { duePublication, leased } from '#lib/features/content/publishing/ownership.ts';
import type { Media } from '#lib/features/media/media.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { listShards, shardOf } from '#lib/platform/db/sharded-list.ts';
import type { createContentPost } from '#schemas/content.ts';
import type { BodyOf } from '#schemas/contract.ts';

export type NewPost = BodyOf<typeof createContentPost>;

/** Returns why the post cannot be created. Each problem starts with the field name. */
export async function problemsOf(
  details: NewPost,
  account: SocialAccount,
  media: readonly Media[],
): Promise<readonly string[]> {
  const { platform, draft, scheduledAt } = details;

  return [
    ...(platform === account.platform
      ? []
      : [`platform must match the social account's platform: ${account.platform}`]),
    ...(scheduledAt ? scheduleProblems(scheduledAt) : []),
    ...(draft
      ? []
      : await publicationProblems({ ...details, mediaUrls: details.mediaUrls ?? [], media })),
  ];
}

/** Returns a draft, a scheduled post, or one that the caller owns and publishes immediately. */
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
