import { type ContentPost, changed } from '#lib/features/content/posts/post.ts';
import { planListings, planScheduledEvent } from '#lib/features/content/posts/post-writes.ts';
import { isInList, listOf } from '#lib/platform/db/lists/shards.ts';
import { type Attributes, write } from '#lib/platform/db/write.ts';
import { duePublication, leased, planAsOwner } from './ownership.ts';

/**
 * Each post needs at most eight writes, and all of them together 18. A transaction has at most 100.
 */
const postsPerTransaction = 8;

/** True until the post of a group is in the lists. */
export function isStaged({ list }: Pick<ContentPost, 'list'>): boolean {
  return isInList(list, 'stagedPost');
}

/** True if the post is published immediately. */
export function isWithoutTime({ state, scheduledAt }: ContentPost): boolean {
  return state === 'SCHEDULED' && scheduledAt === undefined;
}

/**
 * Adds staged posts that the caller owns to the lists. The caller still owns posts without a time,
 * and publishes them next.
 *
 * @throws OwnershipLostError if a publisher has taken one of them.
 */
export async function listStagedPosts(
  posts: readonly ContentPost[],
): Promise<readonly ContentPost[]> {
  const parts = Array.from({ length: Math.ceil(posts.length / postsPerTransaction) }, (_, part) =>
    posts.slice(part * postsPerTransaction, (part + 1) * postsPerTransaction),
  );

  return (await Promise.all(parts.map(listTogether))).flat();
}

async function listTogether(posts: readonly ContentPost[]): Promise<readonly ContentPost[]> {
  const changes = posts.map((post) => ({
    post,
    set: { list: listOf('post', post.id), ...ownershipAfter(post) },
  }));
  const listed = changes.map(({ post, set }) => changed(post, set));
  const events = await Promise.all(
    listed.map((post) => (isWithoutTime(post) ? [] : planScheduledEvent(post))),
  );
  await write(
    ...changes.map(({ post, set }) => planAsOwner(post, set)),
    ...planListings(listed),
    ...events.flat(),
  );

  return listed;
}

function ownershipAfter(post: ContentPost): Attributes {
  if (isWithoutTime(post)) {
    return leased(post.targetAccountId);
  }
  const { scheduledAt, state } = post;
  const due =
    state === 'SCHEDULED' && scheduledAt !== undefined
      ? duePublication(scheduledAt, post)
      : { duePk: null, dueAt: null };

  return { leaseUntil: null, ...due };
}
