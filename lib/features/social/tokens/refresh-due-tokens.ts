import {
  canRefresh,
  credentialsOf,
  type TokenHolder,
  tokenDue,
  tokenHolderKey,
} from '#lib/features/social/accounts/token-holder.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { changeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { tokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import { deactivateAccount } from './deactivate-account.ts';
import { isDeadToken } from './fresh-credentials.ts';
import { refreshToken } from './refresh-token.ts';

const batchSize = 200;
const atOnce = 20;
/** Enough time for one more account, whose network may be slow. */
const reserveMs = 15_000;
const retryAfterMs = 10 * minuteMs;
const ended =
  'The token has expired, and the network requires the user to renew it. Please connect the account again';

export type RefreshReport = { readonly refreshed: number; readonly failed: number };

/**
 * Refreshes due and expired tokens, most overdue first, until none is left or time runs out. Each
 * account's due time is moved first. So concurrent jobs do not process the same account, and a
 * failing account is not retried immediately.
 */
export async function refreshDueTokens(remainingMs: () => number): Promise<RefreshReport> {
  const until = timestamp();
  let report: RefreshReport = { refreshed: 0, failed: 0 };
  const refreshInTime = async (item: DueItem): Promise<Outcome> =>
    remainingMs() > reserveMs ? refreshItem(item) : 'left';
  for (;;) {
    const due = await findDueItems('TOKEN_REFRESH', batchSize, until);
    const outcomes = await atMostAtOnce(atOnce, due, refreshInTime);
    const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    report = {
      refreshed: report.refreshed + count('refreshed'),
      failed: report.failed + count('failed'),
    };
    if (count('left') + count('overtaken') === due.length) {
      return report;
    }
  }
}

/**
 * `overtaken`: another job has claimed it. `left`: out of time, so it comes first in the next run.
 */
type Outcome = 'refreshed' | 'failed' | 'overtaken' | 'left';

async function refreshItem(item: DueItem): Promise<Outcome> {
  const account = await takeTurn(item);
  if (!account) {
    return 'overtaken';
  }
  try {
    await (canRefresh(account) ? refreshToken(account) : validateExpiredToken(account));

    return 'refreshed';
  } catch (failure) {
    logger.warn('A token could not be refreshed', {
      accountId: account.id,
      platform: account.platform,
      purpose: account.purpose,
      failure: describeFailure(failure),
    });

    return 'failed';
  }
}

function takeTurn(item: DueItem): Promise<TokenHolder | undefined> {
  return changeIfMet(
    change(item, { set: { dueAt: timestamp(retryAfterMs) }, when: equals('dueAt', item.dueAt) }),
  );
}

/** The token cannot be refreshed, so this asks the network whether it has really expired. */
async function validateExpiredToken(account: TokenHolder): Promise<void> {
  const { tokenVersion } = account;
  try {
    const { expiresAt } = await tokensOf(account).validateToken(await credentialsOf(account));
    const renewed = { ...account, tokenExpiresAt: expiresAt };
    await write(
      change(tokenHolderKey(account), {
        set: { tokenExpiresAt: expiresAt ?? null, ...tokenDue(renewed) },
        when: equals('tokenVersion', tokenVersion),
      }),
    );
  } catch (failure) {
    if (!isDeadToken(failure)) {
      throw failure;
    }
    await deactivateAccount(account, ended);
  }
}
