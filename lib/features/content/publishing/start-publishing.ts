import { now, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { postOfKey } from '#lib/platform/db/keys/content.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { emitMetrics } from '#lib/platform/metrics/embedded-metrics.ts';
import { ensureWork } from '#lib/platform/work/one-at-a-time.ts';
import { accountOfDue, endOf, leaseMs, momentOfDue } from './ownership.ts';
import type { AccountRound } from './publish-account.ts';

const maxPosts = 20_000;
/** Posts of one account per round. The remaining posts wait for the next round. */
const maxPostsInRound = 500;
const accountsAtOnce = 32;

/**
 * Dispatches due posts to workers, with one work item per account. So each account publishes its
 * posts sequentially, and accounts run in parallel. If an account's previous round is still
 * running, it continues with the posts that are due now. Posts whose lease expires soon are
 * included, because if their owner has crashed, the next run would be too late. Each run also
 * reports the lateness of the most overdue post as a metric.
 *
 * @returns the number of accounts for which a round was started.
 */
export async function startPublishing(): Promise<number> {
  const [held, waiting] = await Promise.all([
    findDueItems('PUBLISHING', maxPosts, endOf(timestamp(leaseMs))),
    findDueItems('PUBLISH', maxPosts, endOf(timestamp())),
  ]);
  const value = Math.max(latenessSeconds(held), latenessSeconds(waiting));
  emitMetrics({ PublishingLateness: { unit: 'Seconds', value } });
  // Posts with an expiring lease come first, because they were due before the others.
  const rounds = roundsOf([...held, ...waiting]);
  const started = await atMostAtOnce(accountsAtOnce, rounds, startRound);

  return started.filter(Boolean).length;
}

/** Reports 0 if nothing is due. A missing metric means that the job does not run. */
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
      owner: organizationKeys.organization(organizationId),
      workId: accountId,
      payload: round,
    });
  } catch (failure) {
    // Continue with the other accounts.
    logger.error('The round of an account was not begun', {
      organizationId,
      accountId,
      failure: describeFailure(failure),
    });

    return false;
  }
}
