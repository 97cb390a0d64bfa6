import type { ContentPost } from '#lib/features/content/posts/post.ts';
import { now, pause, secondMs } from '#lib/platform/clock.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import type { WorkPayload } from '#schemas/work-payloads.ts';
import type { Connect } from './connection.ts';
import { publishDuePost } from './publish-due-post.ts';

/** Posts of one account that are due. */
export type AccountRound = WorkPayload<'contentPublish'>;

/** One post may take so long: with less time left, none is begun. */
const reserveMs = 75 * secondMs;
/** After so long the rest goes into a message of its own, with what has become due meanwhile. */
const roundMs = 40 * secondMs;
/** What is due again so soon is waited for: the next tick of the schedule would be too late. */
const soonMs = 10 * secondMs;

/**
 * Publishes what is due of one account, one post after another, as the worker of one account at a
 * time. What failed for the first time is tried again at the end, some seconds later.
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
      // The others are not to wait for it: when its lease has ended it is due again.
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
