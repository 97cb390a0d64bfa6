import { now, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/due-work.ts';
import { postOfKey } from '#lib/platform/db/keys/content.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { emitMetrics } from '#lib/platform/metrics/embedded-metrics.ts';
import { ensureWork } from '#lib/platform/work/one-at-a-time.ts';
import { accountOfDue, endOf, leaseMs, momentOfDue } from './ownership.ts';
import type { AccountRound } from './publish-account.ts';

/** Four shards of the index give 20,000 posts in one tick. */
const maxDuePerShard = 5_000;
/** One account's posts of one round; the rest waits for the next. */
const maxPostsInRound = 500;
const accountsAtOnce = 32;

/**
 * Hands what is due to workers: one piece of work for each account, so that an account publishes
 * one post after another and accounts do so side by side. An account whose earlier round is not
 * over goes on with what is due now. Posts whose owner's lease ends soon are handed out too: should
 * the owner be dead, the next tick would be too late for them.
 * Each time it is measured for how long the most overdue post has waited.
 *
 * @returns for how many accounts a round was begun.
 */
export async function startPublishing(): Promise<number> {
  const [held, waiting] = await Promise.all([
    findDueItems('PUBLISHING', maxDuePerShard, endOf(timestamp(leaseMs))),
    findDueItems('PUBLISH', maxDuePerShard, endOf(timestamp())),
  ]);
  const value = Math.max(latenessSeconds(held), latenessSeconds(waiting));
  emitMetrics({ PublishingLateness: { unit: 'Seconds', value } });
  // First what somebody left: it was due before the others.
  const rounds = roundsOf([...held, ...waiting]);
  const started = await atMostAtOnce(accountsAtOnce, rounds, startRound);

  return started.filter(Boolean).length;
}

/** 0 where nothing is due: a job that measures nothing does not run. */
function latenessSeconds([oldest]: readonly DueItem[]): number {
  return oldest ? Math.max(0, (now() - Date.parse(momentOfDue(oldest.dueAt))) / 1_000) : 0;
}

function roundsOf(due: readonly DueItem[]): readonly AccountRound[] {
  const byAccount = Map.groupBy(due, ({ dueAt }) => accountOfDue(dueAt));

  return [...byAccount].map(([accountId, items]) => {
    const posts = items.slice(0, maxPostsInRound).map(postOfKey);
    const organizationId = posts[0]?.organizationId ?? '';
    const completeAt =
      items
        .map(({ dueAt }) => momentOfDue(dueAt))
        .toSorted()
        .at(-1) ?? '';

    return { organizationId, accountId, postIds: posts.map(({ postId }) => postId), completeAt };
  });
}

async function startRound(round: AccountRound): Promise<boolean> {
  const { organizationId, accountId } = round;
  try {
    return await ensureWork('contentPublish', {
      owner: keys.organization(organizationId),
      workId: accountId,
      payload: round,
    });
  } catch (failure) {
    // The other accounts' posts are not to wait for this one's.
    logger.error('The round of an account was not begun', {
      organizationId,
      accountId,
      failure: describeFailure(failure),
    });

    return false;
  }
}
