import { type ContentPost, changed } from '#lib/features/content/posts/post.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { finalizePost } from './finalize-post.ts';
import { duePublication, planAsOwner } from './ownership.ts';
import { publishPost } from './publish-post.ts';

export type Patience = {
  /** Returns true if there is time for another part. Otherwise the next round continues. */
  readonly mayContinue: () => boolean;
  /** How long to wait for the media of a part. */
  readonly mediaWaitMs: number;
};

/**
 * Publishes the remaining parts of a thread one after the other, after the post's owner has
 * published one. Each part goes through the phases of a post. It is sent only after the outcome of
 * the previous part is known. Stops at a part that fails or whose outcome is unknown.
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

/** Returns the patience of a request, which has to respond within seconds. */
export function patienceUntil(untilMs: number): Patience {
  return { mayContinue: () => now() < untilMs, mediaWaitMs: 0 };
}
