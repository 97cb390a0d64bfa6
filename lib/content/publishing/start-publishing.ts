import { atMostAtOnce } from '#lib/at-most-at-once.ts';
import { now } from '#lib/clock.ts';
import { type DueItem, findDueItems } from '#lib/db/due-work.ts';
import { keys, postOfKey } from '#lib/db/keys.ts';
import { ConditionNotMet, write } from '#lib/db/write.ts';
import { describeFailure, logger } from '#lib/log/logger.ts';
import { emitMetrics } from '#lib/metrics/embedded-metrics.ts';
import { planWork } from '#lib/work/outbox.ts';
import { accountOfDue, momentOfDue } from './ownership.ts';
import type { AccountRound } from './publish-account.ts';

/** Four shards of the index give 20,000 posts in one tick. */
const maxDuePerShard = 5_000;
/** One account's posts of one round; the rest waits for the next. */
const maxPostsInRound = 500;
const accountsAtOnce = 32;

/**
 * Hands what is due to workers: one piece of work for each account, so that an account publishes
 * one post after another and accounts do so side by side. An account whose earlier round is not
 * over gets no second one, and its posts stay due; its worker is told again, as it may have died.
 * Each time it is measured for how long the most overdue post has waited.
 *
 * @returns for how many accounts a round was begun.
 */
export async function startPublishing(): Promise<number> {
  const due = await findDueItems('PUBLISH', maxDuePerShard);
  emitMetrics({ PublishingLateness: { unit: 'Seconds', value: latenessSeconds(due) } });
  const rounds = roundsOf(due);
  const started = await atMostAtOnce(accountsAtOnce, rounds, startRound);

  return started.filter(Boolean).length;
}

/** 0 where nothing is due: a job that measures nothing does not run. */
function latenessSeconds([oldest]: readonly DueItem[]): number {
  return oldest ? Math.max(0, (now() - Date.parse(momentOfDue(oldest.dueAt))) / 1_000) : 0;
}

function roundsOf(due: readonly DueItem[]): readonly AccountRound[] {
  const byAccount = Map.groupBy(due, ({ dueAt }) => accountOfDue(dueAt));

  return [...byAccount].flatMap(([accountId, items]) => {
    const posts = items.slice(0, maxPostsInRound).map(postOfKey);
    const organizationId = posts[0]?.organizationId ?? '';

    return [{ organizationId, accountId, postIds: posts.map(({ postId }) => postId) }];
  });
}

async function startRound(round: AccountRound): Promise<boolean> {
  const { organizationId, accountId } = round;
  const work = planWork('contentPublish', {
    owner: keys.organization(organizationId),
    workId: accountId,
    payload: JSON.stringify(round),
  });
  try {
    await write(work.write);
  } catch (failure) {
    if (failure instanceof ConditionNotMet) {
      await work.dispatch();

      return false;
    }
    // The other accounts' posts are not to wait for this one's.
    logger.error('The round of an account was not begun', {
      organizationId,
      accountId,
      failure: describeFailure(failure),
    });

    return false;
  }
  await work.dispatch();

  return true;
}
