import { timestamp } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { get } from '#lib/db/read.ts';
import { ConditionNotMet, write } from '#lib/db/write.ts';
import { describeFailure, logger } from '#lib/log/logger.ts';
import { findSocialAccount, type SocialAccount } from '#lib/social/accounts.ts';
import { NetworkFailure } from '#lib/social/networks/network-failure.ts';
import type { WorkRequest } from '#lib/work/worker.ts';
import { type AccountFiguresOfDay, dayOf, figureWrites } from './account-figures.ts';
import { asNewFigures, fetchFigures } from './fetch-figures.ts';
import type { SnapshotSchedule } from './snapshot-schedule.ts';

/**
 * Takes the account's figures of today: those of the account with each run, those of its posts once
 * a day, as they cost more calls. What the network does not answer now is left to the next run.
 */
export async function takeAccountSnapshot({
  payload,
}: Pick<WorkRequest, 'payload'>): Promise<void> {
  const { organizationId, accountId }: SnapshotSchedule = JSON.parse(payload);
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
