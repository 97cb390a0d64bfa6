import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { isSuspended } from '#lib/platform/identity/identity.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { type DailyAccountMetrics, dayOf, planAccountMetrics } from './account-metrics.ts';
import { fetchMetrics, toNewAccountMetrics } from './fetch-metrics.ts';
import type { SnapshotSchedule } from './snapshot-schedule.ts';

/**
 * Stores today's snapshot of an account. Account metrics are fetched on every run. Post metrics are
 * fetched once a day, because they need more calls. After a network failure, the next run tries
 * again.
 */
export async function takeAccountSnapshot({
  organizationId,
  accountId,
}: SnapshotSchedule): Promise<void> {
  const today = dayOf(timestamp());
  const [account, taken, suspended] = await Promise.all([
    findSocialAccount(organizationId, accountId),
    get<DailyAccountMetrics>(socialKeys.accountStats(organizationId, accountId, today)),
    isSuspended(organizationId),
  ]);
  if (!account?.isActive || suspended) {
    return;
  }
  try {
    await takeMetrics(account, taken === undefined);
  } catch (failure) {
    if (!(failure instanceof NetworkError || failure instanceof ConditionNotMetError)) {
      throw failure;
    }
    logger.warn('The metrics of an account could not be read', {
      accountId,
      platform: account.platform,
      failure: describeFailure(failure),
    });
  }
}

async function takeMetrics(account: SocialAccount, isFirstOfDay: boolean): Promise<void> {
  const fetched = await fetchMetrics(account, {
    metrics: true,
    posts: isFirstOfDay,
    postMetrics: isFirstOfDay,
  });
  await write(...planAccountMetrics(account, account.figures, toNewAccountMetrics(fetched, true)));
}
