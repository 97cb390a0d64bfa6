import { type ContentPost, wasAbandoned } from '#lib/features/content/posts/post.ts';
import { planRemoval } from '#lib/features/content/posts/post-writes.ts';
import { minuteMs, now, pause, secondMs, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { allOf, below } from '#lib/platform/db/conditions.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { isSuspended } from '#lib/platform/identity/identity.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import { claimDueComment } from './comment-task.ts';
import { continueThread, type Patience } from './continue-thread.ts';
import { finalizePost } from './finalize-post.ts';
import { handleFirstComment, sendFirstComment } from './first-comment.ts';
import {
  claimDuePost,
  duePublication,
  endOf,
  isFree,
  momentOfDue,
  OwnershipLostError,
} from './ownership.ts';
import { publishPost } from './publish-post.ts';
import { isStaged, isWithoutTime, listStagedPosts } from './staged-posts.ts';

export type AccountRound = WorkPayload<'contentPublish'>;

/** The maximum time that one post takes. No post is started with less time left. */
const reserveMs = 75 * secondMs;
/**
 * After this time, the remaining posts are processed in a new message, together with those that
 * have become due since.
 */
const roundMs = 40 * secondMs;
/**
 * The worker waits for retries that are due this soon, because the next scheduled run would be too
 * late.
 */
const soonMs = 10 * secondMs;
/** How long to wait for media processing before the next post is published. */
const maxMediaWaitMs = 10 * secondMs;

/**
 * Publishes the due posts of one account sequentially. Only one worker does this per account. After
 * the first failure of a post, retries it at the end, a few seconds later.
 */
export async function publishAccount({
  payload: round,
  remainingMs,
}: WorkRequest<'contentPublish'>): Promise<WorkOutcome> {
  if (await isSuspended(round.organizationId)) {
    await postponeRound(round);

    return 'done';
  }
  const first = await publishDuePosts(round, remainingMs);
  if (!first.isComplete) {
    return 'unfinished';
  }
  const soon = first.posts.filter((post) => isDueSoon(post));
  const latest = Math.max(0, ...soon.map((post) => dueMs(post) - now()));
  if (soon.length > 0 && remainingMs() > latest + reserveMs) {
    await pause(latest + 1);
    await publishDuePosts({ ...round, postIds: soon.map(({ id }) => id) }, remainingMs);
  }
  const heldMs = Date.parse(round.completeAt) - now();

  return heldMs > 0 ? { againInMs: heldMs + 1 } : 'done';
}

const suspendedWaitMs = 5 * minuteMs;
const postponedAtOnce = 20;

/**
 * Posts of a suspended organization are due again after a few minutes. When the suspension ends,
 * posts that are too late fail.
 */
async function postponeRound({ organizationId, accountId, postIds }: AccountRound): Promise<void> {
  const at = timestamp(suspendedWaitMs);
  const when = allOf(below('dueAt', endOf(timestamp())), isFree());
  await atMostAtOnce(postponedAtOnce, postIds, (id) =>
    writeIfMet(
      change(contentKeys.contentPost(organizationId, id), {
        set: duePublication(at, { id, targetAccountId: accountId }),
        when,
      }),
    ),
  );
}

async function publishDuePosts(
  { organizationId, accountId, postIds }: AccountRound,
  remainingMs: () => number,
): Promise<{ readonly posts: readonly ContentPost[]; readonly isComplete: boolean }> {
  const posts: ContentPost[] = [];
  const endsAtMs = now() + roundMs;
  const mayContinue = () => remainingMs() >= reserveMs && now() <= endsAtMs;
  const patience = { mayContinue, mediaWaitMs: maxMediaWaitMs };
  for (const postId of postIds) {
    if (!mayContinue()) {
      return { posts, isComplete: false };
    }
    try {
      const post = await publishDuePost(organizationId, accountId, postId, patience);
      posts.push(...(post ? [post] : []));
      if (post && isDueNow(post)) {
        return { posts, isComplete: false };
      }
    } catch (failure) {
      // Continue with the other posts. This post is due again when its lease expires.
      logger.error('A post could not be published', {
        organizationId,
        postId,
        failure: describeFailure(failure),
      });
    }
  }

  return { posts, isComplete: true };
}

/**
 * Claims a due post, publishes it, and stores the outcome. If the post was sent before, checks it
 * at the network instead. If the request that created its group crashed, adds the staged post to
 * the lists first. If the post is published, its first comment may be due.
 *
 * @returns the post; `undefined` if it is no longer due, has another owner, or was abandoned.
 */
export async function publishDuePost(
  organizationId: string,
  accountId: string,
  postId: string,
  patience: Patience = { mayContinue: () => true, mediaWaitMs: maxMediaWaitMs },
): Promise<ContentPost | undefined> {
  const post = await claimDuePost(contentKeys.contentPost(organizationId, postId), accountId);
  if (!post) {
    return publishDueComment(organizationId, accountId, postId);
  }
  try {
    if (wasAbandoned(post)) {
      await write(...planRemoval(post, () => new OwnershipLostError(post.id)));

      return undefined;
    }
    const [listed = post] = isStaged(post) ? await listStagedPosts([post]) : [];
    if (isStaged(post) && !isWithoutTime(post)) {
      return listed;
    }

    const published = await finalizePost(listed, await publishPost(listed, patience.mediaWaitMs));

    return await sendFirstComment(await continueThread(published, patience), patience);
  } catch (failure) {
    if (failure instanceof OwnershipLostError) {
      logger.warn('Another publisher has taken a post', { organizationId, postId });

      return undefined;
    }
    throw failure;
  }
}

/** A first comment is due in the same round as its post: in the round of the account. */
async function publishDueComment(
  organizationId: string,
  accountId: string,
  postId: string,
): Promise<ContentPost | undefined> {
  const task = await claimDueComment(organizationId, accountId, postId);
  if (!task) {
    return undefined;
  }
  try {
    return (await handleFirstComment(task))?.post;
  } catch (failure) {
    if (failure instanceof OwnershipLostError) {
      logger.warn('Another publisher has taken a first comment', { organizationId, postId });

      return undefined;
    }
    throw failure;
  }
}

function dueMs({ dueAt = '' }: ContentPost): number {
  return Date.parse(momentOfDue(dueAt));
}

/** True if a thread still has a part to publish, because time ran out. */
function isDueNow(post: ContentPost): boolean {
  return post.state === 'SCHEDULED' && dueMs(post) <= now();
}

function isDueSoon(post: ContentPost): boolean {
  return post.state === 'SCHEDULED' && dueMs(post) - now() <= soonMs;
}
