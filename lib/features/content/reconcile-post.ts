import { type ContentPost, requirePost } from '#lib/features/content/posts/post.ts';
import { claimUnknownComment } from '#lib/features/content/publishing/comment-task.ts';
import { continueThread, patienceUntil } from '#lib/features/content/publishing/continue-thread.ts';
import { finalizePost } from '#lib/features/content/publishing/finalize-post.ts';
import {
  handleFirstComment,
  sendFirstComment,
} from '#lib/features/content/publishing/first-comment.ts';
import { claimUnconfirmedPost } from '#lib/features/content/publishing/ownership.ts';
import { publishPost } from '#lib/features/content/publishing/publish-post.ts';
import { now, secondMs } from '#lib/platform/clock.ts';
import { upstream } from '#lib/platform/errors/failures.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { beingPublished } from './change-post.ts';

/** How long the request publishes further parts of a thread. The publisher publishes the rest. */
const threadTimeMs = 10 * secondMs;

/**
 * Checks at the network whether a post with an unknown outcome was published, and stores the
 * result. A post with a known outcome is returned unchanged. If a part of a thread is found, the
 * next parts are published. A first comment with an unknown outcome is checked too, and never sent
 * again.
 *
 * @throws 404; 409 while another process checks the post; 502 if the network does not respond.
 */
export async function reconcilePost(organizationId: string, postId: string): Promise<ContentPost> {
  const post = await requirePost(organizationId, postId);
  if (post.phase !== 'UNCONFIRMED') {
    return post.firstComment?.status === 'UNKNOWN' ? reconcileComment(post) : post;
  }
  const claimed = await claimUnconfirmedPost(post);
  if (!claimed) {
    throw beingPublished(post);
  }
  const untilMs = now() + threadTimeMs;
  const outcome = await publishPost(claimed, 0);
  const settled = await finalizePost(claimed, outcome, { isAsked: true });
  if (outcome.state === 'unknown' && outcome.failure instanceof NetworkError) {
    throw upstream('social', outcome.failure);
  }

  const patience = patienceUntil(untilMs);

  return sendFirstComment(await continueThread(settled, patience), patience);
}

async function reconcileComment(post: ContentPost): Promise<ContentPost> {
  const claimed = await claimUnknownComment(post);
  if (!claimed) {
    throw beingPublished(post);
  }
  const settled = await handleFirstComment(claimed, { isAsked: true });
  if (settled?.failure instanceof NetworkError) {
    throw upstream('social', settled.failure);
  }

  return settled?.post ?? post;
}
