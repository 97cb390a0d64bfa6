import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import {
  consume,
  consumeMore,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import { hasSharedQuota, meterCalls } from '#lib/vendors/networks/call-counts.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { RateLimitName } from '#schemas/rate-limits.ts';
import { requireSocialAccount, type SocialAccount } from './accounts.ts';

export type AccountLimit = Extract<RateLimitName, `account${string}`> & string;

/** Receives the state of the limits. */
export type LimitsReply = {
  readonly rateLimits: (states: readonly RateLimitState[]) => void;
};

type LimitedCall = {
  readonly organizationId: string;
  readonly accountId: string;
  readonly limit: AccountLimit;
  readonly reply: LimitsReply;
};

/**
 * Counts a request against the account's limit and the organization's daily budget, and runs it.
 *
 * @throws 404 for an unknown account, 429 if a limit is exceeded.
 */
export async function withinCallLimits<Result>(
  { organizationId, accountId, limit, reply }: LimitedCall,
  act: (account: SocialAccount) => Promise<Result>,
): Promise<Result> {
  const [account] = await Promise.all([
    requireSocialAccount(organizationId, accountId),
    countForAccounts(organizationId, [accountId], limit, reply),
  ]);

  return withinDailyCalls(organizationId, [account.platform], reply, () => act(account));
}

/** @throws 429 if the limit of one of the accounts is exceeded. */
export async function countForAccounts(
  organizationId: string,
  accountIds: readonly string[],
  limit: AccountLimit,
  { rateLimits }: LimitsReply,
): Promise<void> {
  const counted = await Promise.all(
    accountIds.map((accountId) => consume(limit, `${organizationId} ${accountId}`)),
  );
  const [tightest] = counted.toSorted((one, other) => one.remaining - other.remaining);
  if (tightest) {
    rateLimits([tightest]);
  }
  requireAllowed(counted);
}

/**
 * Runs `act` if the organization may still call networks whose quota all organizations share. The
 * first call is counted in advance, and the others when their number is known.
 *
 * @throws 429 if today's calls are used up.
 */
export async function withinDailyCalls<Result>(
  organizationId: string,
  platforms: readonly Platform[],
  { rateLimits }: LimitsReply,
  act: () => Promise<Result>,
): Promise<Result> {
  if (!platforms.some(hasSharedQuota)) {
    return act();
  }
  const counted = await consume('networkCalls', organizationId);
  rateLimits([counted]);
  requireAllowed([counted]);

  return meterCalls(act, async (calls) => {
    if (calls > 1) {
      await consumeMore('networkCalls', organizationId, calls - 1).catch((failure: unknown) => {
        logAlarmingError('RateLimitUncounted', 'Network calls were not counted', {
          failure: describeFailure(failure),
        });
      });
    }
  });
}
