import { type ContentPost, requirePost } from '#lib/features/content/posts/post.ts';
import { finalizePost } from '#lib/features/content/publishing/finalize-post.ts';
import { claimUnconfirmedPost } from '#lib/features/content/publishing/ownership.ts';
import { publishPost } from '#lib/features/content/publishing/publish-post.ts';
import { conflict, upstream } from '#lib/platform/errors/failures.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { isBeingPublished } from './change-post.ts';

/**
 * Checks at the network what became of a post with an unknown outcome, and stores the result. A
 * post with a known outcome is returned unchanged.
 *
 * @throws 404; 409 while another process checks the post; 502 if the network does not respond.
 */
export async function reconcilePost(organizationId: string, postId: string): Promise<ContentPost> {
  const post = await requirePost(organizationId, postId);
  if (post.phase !== 'UNCONFIRMED') {
    return post;
  }
  const claimed = await claimUnconfirmedPost(post);
  if (!claimed) {
    throw conflict(isBeingPublished);
  }
  const outcome = await publishPost(claimed, 0);
  const settled = await finalizePost(claimed, outcome, { isAsked: true });
  if (outcome.state === 'unknown' && outcome.failure instanceof NetworkError) {
    throw upstream('social', outcome.failure);
  }

  return settled;
}
