import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { now, pause, secondMs } from '#lib/platform/clock.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import type { WorkPayload } from '#schemas/work-payloads.ts';
import type { Connect } from './connection.ts';
import { publishDuePost } from './publish-due-post.ts';

/** Posts of one account that are due. */
export type AccountRound = WorkPayload<'contentPublish'>;

/** The maximum time that one post takes. No post is started with less time left. */
const reserveMs = 75 * secondMs;
/** After this time, the remaining posts go into a new message, with those that became due since. */
const roundMs = 40 * secondMs;
/** Retries due this soon are awaited, because the next run of the schedule would be too late. */
const soonMs = 10 * secondMs;

/**
 * Publishes the due posts of one account sequentially. Only one worker does so per account. First
 * failures are retried at the end, a few seconds later.
 */
export function publishAccount(connect: Connect) {
  return async ({ payload, remainingMs }: WorkRequest<'contentPublish'>): Promise<WorkOutcome> => {
    const round = payload;
    const first = await publishAll(round, connect, remainingMs);
    if (!first.isComplete) {
      return 'unfinished';
    }
    const soon = first.posts.filter((post) => isDueSoon(post));
    const latest = Math.max(0, ...soon.map((post) => dueMs(post) - now()));
    if (soon.length > 0 && remainingMs() > latest + reserveMs) {
      await pause(latest + 1);
      const again = { ...round, postIds: soon.map(({ id }) => id) };
      await publishAll(again, connect, remainingMs);
    }
    const heldMs = Date.parse(round.completeAt) - now();

    return heldMs > 0 ? { againInMs: heldMs + 1 } : 'done';
  };
}

async function publishAll(
  { organizationId, accountId, postIds }: AccountRound,
  connect: Connect,
  remainingMs: () => number,
): Promise<{ readonly posts: readonly ContentPost[]; readonly isComplete: boolean }> {
  const posts: ContentPost[] = [];
  const endsAtMs = now() + roundMs;
  for (const postId of postIds) {
    if (remainingMs() < reserveMs || now() > endsAtMs) {
      return { posts, isComplete: false };
    }
    try {
      const post = await publishDuePost(organizationId, accountId, postId, connect);
      posts.push(...(post ? [post] : []));
    } catch (failure) {
      // Continue with the other posts. This one is due again when its lease expires.
      logger.error('A post could not be published', {
        organizationId,
        postId,
        failure: describeFailure(failure),
      });
    }
  }

  return { posts, isComplete: true };
}

function dueMs({ dueAt = '' }: ContentPost): number {
  return Date.parse(dueAt.split('#')[0] ?? '');
}

function isDueSoon(post: ContentPost): boolean {
  return post.state === 'SCHEDULED' && dueMs(post) - now() <= soonMs;
}
