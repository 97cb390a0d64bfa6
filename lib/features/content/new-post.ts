import type { ContentPost, ThreadPart } from '#lib/features/content/posts/post.ts';
import type { PostMedia } from '#lib/features/content/posts/post-media.ts';
import {
  publicationProblems,
  scheduleProblems,
  supportProblems,
  textProblems,
} from '#lib/features/content/posts/post-rules.ts';
import { readSettings } from '#lib/features/content/posts/post-settings.ts';
import { duePublication, leased } from '#lib/features/content/publishing/ownership.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import type { createContentPost } from '#schemas/content.ts';
import type { BodyOf } from '#schemas/contract.ts';

export type NewPost = BodyOf<typeof createContentPost>;

/**
 * Returns the reasons why the network would reject the texts and settings of a post, as far as they
 * can be found without reading anything. Each problem starts with the field name.
 */
export function textAndSettingsProblems({
  platform,
  content,
  draft,
  ...others
}: Partial<NewPost>): readonly string[] {
  if (!platform) {
    return [];
  }
  const post = { ...others, platform, content: content ?? '', mediaUrls: others.mediaUrls ?? [] };

  return [
    ...supportProblems(post),
    ...readSettings(platform, others.settings).problems,
    ...(draft ? [] : textProblems(post)),
  ];
}

/** Returns the reasons why the post cannot be created. Each problem starts with the field name. */
export async function problemsOf(
  details: NewPost,
  account: SocialAccount,
  media: PostMedia,
): Promise<readonly string[]> {
  const { platform, draft, scheduledAt } = details;
  const content = {
    ...details,
    ...media,
    platform: account.platform,
    mediaUrls: details.mediaUrls ?? [],
  };

  return [
    ...(platform === account.platform
      ? []
      : [`platform must match the social account's platform: ${account.platform}`]),
    ...scheduleProblems(scheduledAt),
    ...(draft
      ? [...supportProblems(content), ...readSettings(content.platform, details.settings).problems]
      : await publicationProblems(content)),
  ];
}

/** Returns a draft, a scheduled post, or a post that the caller owns and publishes immediately. */
export function newPost(organizationId: string, id: string, details: NewPost): ContentPost {
  const {
    socialAccountId: targetAccountId,
    draft,
    scheduledAt,
    tags,
    mediaUrls,
    mediaIds,
    firstComment,
    thread,
    settings: givenSettings,
    ...given
  } = details;
  const { settings } = readSettings(details.platform, givenSettings);
  const createdAt = timestamp();
  const common = {
    ...given,
    id,
    organizationId,
    list: listOf('post', id),
    targetAccountId,
    mediaUrls: mediaUrls ?? [],
    mediaIds: mediaIds ?? [],
    ...(settings ? { settings } : {}),
    ...(firstComment ? { firstComment: { text: firstComment, status: 'PENDING' } } : {}),
    ...(thread ? { thread: thread.map(newPart) } : {}),
    tags: [...new Set(tags)],
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

function newPart({ content, mediaIds }: NonNullable<NewPost['thread']>[number]): ThreadPart {
  return { content, mediaIds: mediaIds ?? [] };
}
