import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { ConditionNotMet, write } from '#lib/platform/db/write.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { NetworkFailure } from '#lib/vendors/networks/network-failure.ts';
import { type AccountFiguresOfDay, dayOf, figureWrites } from './account-figures.ts';
import { asNewFigures, fetchFigures } from './fetch-figures.ts';
import type { SnapshotSchedule } from './snapshot-schedule.ts';

/**
 * Takes today's snapshot of an account. Account metrics are fetched on every run. Post metrics are
 * fetched once a day, because they need more calls. A network failure is left to the next run.
 */
export async function takeAccountSnapshot({
  organizationId,
  accountId,
}: SnapshotSchedule): Promise<void> {
  const today = dayOf(timestamp());
  const [account, taken] = await Promise.all([
    findSocialAccount(organizationId, accountId),
    get<AccountFiguresOfDay>(keys.accountStats(organizationId, accountId, today)),
  ]);
  if (!account?.isActive) {
    return;
  }
  try {
    await takeFigures(account, taken === undefined);
  } catch (failure) {
    if (!(failure instanceof NetworkFailure || failure instanceof ConditionNotMet)) {
      throw failure;
    }
    logger.warn('The figures of an account could not be taken', {
      accountId,
      platform: account.platform,
      failure: describeFailure(failure),
    });
  }
}

async function takeFigures(account: SocialAccount, isFirstOfDay: boolean): Promise<void> {
  const fetched = await fetchFigures(account, {
    figures: true,
    posts: isFirstOfDay,
    postMetrics: isFirstOfDay,
  });
  await write(...figureWrites(account, account.figures, asNewFigures(fetched, true)));
}
