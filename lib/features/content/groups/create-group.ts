import { setTimeout as wait } from 'node:timers/promises';
import { newPost } from '#lib/features/content/new-post.ts';
import { type ContentPost, findPost } from '#lib/features/content/posts/post.ts';
import { planStagedPosts } from '#lib/features/content/posts/post-writes.ts';
import { continueThread, patienceUntil } from '#lib/features/content/publishing/continue-thread.ts';
import { finalizePost } from '#lib/features/content/publishing/finalize-post.ts';
import { sendFirstComment } from '#lib/features/content/publishing/first-comment.ts';
import { handOver, leased } from '#lib/features/content/publishing/ownership.ts';
import { publishDuePost } from '#lib/features/content/publishing/publish-account.ts';
import { publishPost } from '#lib/features/content/publishing/publish-post.ts';
import { isWithoutTime, listStagedPosts } from '#lib/features/content/publishing/staged-posts.ts';
import { withNextSlots } from '#lib/features/content/slots/next-slot.ts';
import { now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { overloaded } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { checkTargets, type NewGroup, type Slot, type TargetPost } from './check-targets.ts';
import {
  type ContentGroup,
  findGroup,
  type GroupWithPosts,
  hashOfText,
  readPosts,
} from './group.ts';

/** How long the request waits for media processing before the publisher takes over. */
const maxMediaWaitMs = 12 * secondMs;
/** Leaves time for a call that was sent, and for the response. */
const maxPublishingMs = 16 * secondMs;

/**
 * Creates a post for each target, and publishes those without a time.
 *
 * One transaction writes the group and all its posts, which the request owns from then on. They are
 * staged: they are in no list yet, because the list entries of 20 posts do not fit into the
 * transaction. More transactions add them. If the request crashes, its leases expire, and the
 * publisher or a repeated request continues with each post. The intent's id is the id of the group.
 *
 * @throws 400 if a target fails the checks.
 */
export async function createGroup(
  organizationId: string,
  intent: Intent,
  details: NewGroup,
): Promise<GroupWithPosts> {
  const made = intent.isRepeated ? await findGroup(organizationId, intent.id) : undefined;
  if (made) {
    return continueGroup(made);
  }
  const { group, posts } = await writeGroup(organizationId, intent, details);
  const listed = await listStagedPosts(posts);
  const published = await Promise.all(
    listed.map((post) => (isWithoutTime(post) ? publishInTime(post) : post)),
  );

  return { group, posts: published.map((post, target) => ({ post, target })) };
}

type Written = { readonly group: ContentGroup; readonly posts: readonly ContentPost[] };

/** Also claims a slot for each post if the group uses slots. */
function writeGroup(organizationId: string, intent: Intent, details: NewGroup): Promise<Written> {
  const writeAt = async (slots?: readonly Slot[]) => {
    const targets = await checkTargets(organizationId, details, slots);
    const { group, posts } = newGroup(organizationId, intent, details, targets);
    await write(
      create(contentKeys.contentGroup(organizationId, group.id), group, () =>
        overloaded(new Error('Another request with this intent created the group')),
      ),
      ...planStagedPosts(posts),
    );

    return { group, posts };
  };
  const accountIds = details.targets.map(({ socialAccountId }) => socialAccountId);

  return details.useNextSlot
    ? withNextSlots(organizationId, intent.id, accountIds, writeAt)
    : writeAt();
}

function newGroup(
  organizationId: string,
  { id: groupId }: Intent,
  { content, useNextSlot }: NewGroup,
  targets: readonly TargetPost[],
): Written {
  const posts = targets.map(({ details }): ContentPost => {
    const { isImmediate: _, ...post } = newPost(organizationId, newId(), details);
    const owned = { ...leased(post.targetAccountId), attempt: 1 };

    const inSlot = useNextSlot ? { isInSlot: true } : {};

    return { ...post, ...owned, ...inSlot, groupId, list: listOf('stagedPost', post.id) };
  });
  const group = {
    id: groupId,
    organizationId,
    postIds: posts.map(({ id }) => id),
    ...(typeof content === 'string' ? { commonText: hashOfText(content) } : {}),
    createdAt: timestamp(),
  };

  return { group, posts };
}

/**
 * Publishes a post. If that takes too long, leaves it to the publisher, because the response must
 * arrive before the function times out. A post whose call was sent is not left to the publisher.
 */
async function publishInTime(post: ContentPost): Promise<ContentPost> {
  const timer = new AbortController();
  const publishing = publishOne(post);
  const limit = wait(maxPublishingMs, 'late' as const, { signal: timer.signal });
  try {
    const published = await Promise.race([publishing, limit]);

    return published === 'late' ? ((await handOver(post)) ?? (await publishing)) : published;
  } finally {
    timer.abort();
  }
}

/** Never throws, so that no post affects another. The publisher continues with failed posts. */
async function publishOne(post: ContentPost): Promise<ContentPost> {
  const { organizationId, id: postId } = post;
  try {
    const patience = patienceUntil(now() + maxMediaWaitMs);
    const published = await finalizePost(post, await publishPost(post, maxMediaWaitMs));

    return await sendFirstComment(await continueThread(published, patience), patience);
  } catch (failure) {
    const details = { organizationId, postId, failure: describeFailure(failure) };
    logger.warn('A post of a group is left to the publisher', details);

    return (await findPost(organizationId, postId).catch(() => undefined)) ?? post;
  }
}

/** Continues with the posts that a crashed request left behind, like the publisher. */
async function continueGroup(group: ContentGroup): Promise<GroupWithPosts> {
  const posts = await readPosts(group);
  const left = posts.filter(({ post }) => isLeft(post));
  if (left.length === 0) {
    return { group, posts };
  }
  await Promise.all(
    left.map(({ post }) => publishDuePost(group.organizationId, post.targetAccountId, post.id)),
  );

  return { group, posts: await readPosts(group) };
}

function isLeft({ leaseUntil }: ContentPost): boolean {
  return leaseUntil !== undefined && leaseUntil < timestamp();
}
