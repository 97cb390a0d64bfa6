import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { ImportSchedule } from '#lib/features/social/metrics/import-schedule.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, hourMs, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { get } from '#lib/platform/db/read.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { isSuspended } from '#lib/platform/identity/identity.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { metricsOf } from '#lib/vendors/networks/ports/metrics.ts';
import { importPosts, importRange } from './import-posts.ts';

export type ImportReport = {
  readonly accounts: number;
  readonly failed: number;
  /** The number of posts that were created or changed. */
  readonly posts: number;
};

const batchSize = 200;
const atOnce = 20;
/** Enough time for one more batch, in which each account may wait for its network. */
const reserveMs = 60_000;
/** Slightly less than a day, so that the time of day does not drift. */
const importEveryMs = dayMs - 30 * 60_000;
const retryAfterMs = hourMs;

/**
 * Imports the posts of all due accounts, starting with those that have waited longest. Each
 * account's due time is moved before its network is called. So concurrent runs do not import the
 * same account, a failing account delays no other, and a crashed import is retried in an hour.
 */
export async function importDuePosts(remainingMs: () => number): Promise<ImportReport> {
  const until = timestamp();
  let report: ImportReport = { accounts: 0, failed: 0, posts: 0 };
  while (remainingMs() > reserveMs) {
    const due = await findDueItems('POSTS_IMPORT', batchSize, until);
    const outcomes = await atMostAtOnce(atOnce, due, importDue);
    const own = outcomes.filter((outcome) => outcome !== 'overtaken');
    report = {
      accounts: report.accounts + own.length,
      failed: report.failed + own.filter((outcome) => outcome === 'failed').length,
      posts: own.reduce<number>(
        (sum, outcome) => sum + (outcome === 'failed' ? 0 : outcome),
        report.posts,
      ),
    };
    if (own.length === 0) {
      break;
    }
  }

  return report;
}

async function importDue(item: DueItem): Promise<number | 'failed' | 'overtaken'> {
  const schedule = await get<ImportSchedule>({ pk: item.pk, sk: item.sk });
  const retryAt = timestamp(retryAfterMs);
  const isMine =
    schedule !== undefined &&
    (await writeIfMet(
      change(item, { set: { dueAt: retryAt }, when: equals('dueAt', item.dueAt) }),
    ));
  if (!isMine) {
    return 'overtaken';
  }
  try {
    const posts = await importAccount(schedule);
    await writeIfMet(
      change(item, { set: { dueAt: timestamp(importEveryMs) }, when: equals('dueAt', retryAt) }),
    );

    return posts;
  } catch (failure) {
    logger.warn('The posts of an account could not be imported', {
      accountId: schedule.accountId,
      failure: describeFailure(failure),
    });

    return 'failed';
  }
}

async function importAccount({ organizationId, accountId }: ImportSchedule): Promise<number> {
  const [account, suspended] = await Promise.all([
    findSocialAccount(organizationId, accountId),
    isSuspended(organizationId),
  ]);
  if (!account?.isActive || suspended) {
    return 0;
  }
  const listed = await withFreshToken(account, (credentials) =>
    metricsOf(account.platform).listRecentPosts(credentials, importRange()),
  );

  return importPosts(account, listed);
}
