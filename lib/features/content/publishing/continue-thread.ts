import { type ContentPost, changed } from '#lib/features/content/posts/post.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { finalizePost } from './finalize-post.ts';
import { duePublication, planAsOwner } from './ownership.ts';
import { publishPost } from './publish-post.ts';

export type Patience = {
  /** Whether there is time for another part. Otherwise the next round continues. */
  readonly mayContinue: () => boolean;
  /** How long to wait for the media of a part. */
  readonly mediaWaitMs: number;
};

/**
 * Publishes the further parts of a thread, one after the other, if the post's owner has just
 * published one. Each part passes the phases of a post, and is sent only after the one before it is
 * known. Stops at a part that fails or whose outcome is unknown.
 *
 * @throws OwnershipLostError
 */
export async function continueThread(post: ContentPost, patience: Patience): Promise<ContentPost> {
  let current = post;
  while (current.leaseUntil !== undefined) {
    if (!patience.mayContinue()) {
      return release(current);
    }
    current = await finalizePost(current, await publishPost(current, patience.mediaWaitMs));
  }

  return current;
}

async function release(post: ContentPost): Promise<ContentPost> {
  const set = { leaseUntil: null, ...duePublication(timestamp(), post) };
  await write(planAsOwner(post, set));

  return changed(post, set);
}

/** Patience for requests, which have to respond within seconds. */
export function patienceUntil(untilMs: number): Patience {
  return { mayContinue: () => now() < untilMs, mediaWaitMs: 0 };
}
