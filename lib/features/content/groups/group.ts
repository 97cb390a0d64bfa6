import { createHash } from 'node:crypto';
import { showPosts } from '#lib/features/content/listing/show-posts.ts';
import type { ContentPost } from '#lib/features/content/posts/post.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';

/**
 * A composition for several accounts. Its posts have its id in `groupId`, and each is published
 * separately.
 */
export type ContentGroup = {
  readonly id: string;
  readonly organizationId: string;
  /** In the order of the targets. Includes deleted posts. */
  readonly postIds: readonly string[];
  /** Hash of the common text. Posts with this text follow its changes. */
  readonly commonText?: string;
  readonly createdAt: string;
};

export type GroupWithPosts = {
  readonly group: ContentGroup;
  /** In the order of the targets. Deleted posts are missing. */
  readonly posts: readonly GroupPost[];
};

/** A post and the index of its target. */
export type GroupPost = { readonly post: ContentPost; readonly target: number };

export function hashOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function findGroup(
  organizationId: string,
  groupId: string,
): Promise<ContentGroup | undefined> {
  return get<ContentGroup>(contentKeys.contentGroup(organizationId, groupId));
}

/**
 * Returns a group with its posts.
 *
 * @throws 404, also if all posts were deleted.
 */
export async function requireGroup(
  organizationId: string,
  groupId: string,
): Promise<GroupWithPosts> {
  const found = await findGroup(organizationId, groupId);
  const posts = found ? await readPosts(found) : [];
  const group = requireFound(posts.length > 0 ? found : undefined, 'Content group');

  return { group, posts };
}

/** Reads the posts of a group, without deleted ones. */
export async function readPosts({
  organizationId,
  postIds,
}: ContentGroup): Promise<readonly GroupPost[]> {
  const posts = await getMany<ContentPost>(
    postIds.map((id) => contentKeys.contentPost(organizationId, id)),
  );

  return posts.flatMap((post, target) =>
    post && post.state !== 'DELETED' ? [{ post, target }] : [],
  );
}

/** Formats a group, with the accounts of its posts if they are still connected. */
export async function showGroup({ group, posts }: GroupWithPosts) {
  const { id, organizationId, createdAt } = group;
  const accounts = getMany<SocialAccount>(
    posts.map(({ post }) => socialKeys.socialAccount(organizationId, post.targetAccountId)),
  );
  const shown = await showPosts(
    posts.map(({ post }) => post),
    accounts,
  );

  return { id, createdAt, posts: shown };
}
