import { type ContentPost, wasAbandoned } from '#lib/features/content/posts/post.ts';
import { planRemoval } from '#lib/features/content/posts/post-writes.ts';
import { secondMs } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import { logger } from '#lib/platform/log/logger.ts';
import type { Connect } from './connection.ts';
import { finalizePost } from './finalize-post.ts';
import { claimDuePost, OwnershipLostError } from './ownership.ts';
import { publishPost } from './publish-post.ts';

/** How long to wait for media processing before the next post is published. */
const maxMediaWaitMs = 10 * secondMs;

/**
 * Publishes a due post, or checks one that was sent. `undefined`: it is no longer due, or has
 * another owner.
 */
export async function publishDuePost(
  organizationId: string,
  accountId: string,
  postId: string,
  connect: Connect,
): Promise<ContentPost | undefined> {
  const key: Key = keys.contentPost(organizationId, postId);
  const post = await claimDuePost(key, accountId);
  if (!post) {
    return undefined;
  }
  try {
    return await (wasAbandoned(post) ? removeAbandoned(post) : publishClaimed(post, connect));
  } catch (failure) {
    if (failure instanceof OwnershipLostError) {
      logger.warn('Another publisher has taken a post', { organizationId, postId });

      return undefined;
    }
    throw failure;
  }
}

async function publishClaimed(post: ContentPost, connect: Connect): Promise<ContentPost> {
  return finalizePost(post, await publishPost(post, connect, maxMediaWaitMs));
}

async function removeAbandoned(post: ContentPost): Promise<undefined> {
  await write(...planRemoval(post, () => new OwnershipLostError(post.id)));

  return undefined;
}
