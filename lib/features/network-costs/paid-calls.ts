import { timestamp } from '#lib/platform/clock.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { count, write } from '#lib/platform/db/write.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { PaidCalls } from '#lib/vendors/networks/call-counts.ts';
import type { Platform } from '#schemas/platforms.ts';

/** Calls by network and kind, for example `TWITTER_read`. */
type MonthOfCalls = Readonly<Record<string, unknown>>;

/**
 * Adds calls to the month's count. Never throws: the calls were made, so failing to count them must
 * not fail their caller.
 */
export async function recordPaidCalls(
  { organizationId, platform }: { readonly organizationId: string; readonly platform: Platform },
  { read, write: written }: PaidCalls,
): Promise<void> {
  if (read + written === 0) {
    return;
  }
  const month = timestamp().slice(0, 7);
  const calls = { [`${platform}_read`]: read, [`${platform}_write`]: written };
  try {
    await write(count(socialKeys.networkCalls(organizationId, month), calls));
  } catch (failure) {
    logger.warn('Paid network calls were not counted', { failure: describeFailure(failure) });
  }
}

/** Returns the calls of a month (YYYY-MM) to a network that charges for them. */
export async function readPaidCalls(
  organizationId: string,
  month: string,
  platform: Platform,
): Promise<PaidCalls> {
  const stored = await get<MonthOfCalls>(socialKeys.networkCalls(organizationId, month));

  return {
    read: Number(stored?.[`${platform}_read`] ?? 0),
    write: Number(stored?.[`${platform}_write`] ?? 0),
  };
}
