import {
  type SocialAccount,
  socialAccountNotFound,
} from '#lib/features/social/accounts/accounts.ts';
import { pause, secondMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { fullJitterMs } from '#lib/platform/db/jitter.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { ConditionNotMet, change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { NetworkFailure } from '#lib/vendors/networks/network-failure.ts';

/** Longer than a network's call and the write after it take, all their tries included. */
const leaseMs = 30 * secondMs;
/** Losers look again up to so often: together about ten seconds, as long as the call may take. */
const maxLooks = 60;
const meanWaitMs = 170;

export type Lease = {
  /** Whether this refresher has it; else another one has stored a newer token meanwhile. */
  readonly isMine: boolean;
  readonly account: SocialAccount;
};

/**
 * Makes this the only refresher of the account's token. Where another one is at it, waits until that
 * one is done, and hands over what it has stored.
 *
 * @throws NetworkFailure `unavailable` where the other one does not end in time.
 * @throws 404 where the account is not connected any more.
 */
export async function takeRefreshLease(account: SocialAccount): Promise<Lease> {
  for (let looks = 1; looks <= maxLooks; looks += 1) {
    const outcome = await tryLease(account, absent('refreshLeaseUntil'));
    if (outcome.isMine || outcome.account.tokenVersion !== account.tokenVersion) {
      return outcome;
    }
    const heldUntil = outcome.account.refreshLeaseUntil;
    if (heldUntil && heldUntil < timestamp()) {
      const taken = await tryLease(account, equals('refreshLeaseUntil', heldUntil), true);
      if (taken.isMine) {
        return taken;
      }
    }
    await pause(fullJitterMs(2 * meanWaitMs));
  }
  throw new NetworkFailure(account.platform, 'unavailable', {
    message: 'The token is being refreshed by another request',
  });
}

function keyOf({ organizationId, id }: SocialAccount): Key {
  return keys.socialAccount(organizationId, id);
}

/** A lease that ran out was left by a refresher that died: nobody knows what it was answered. */
async function tryLease(
  account: SocialAccount,
  isFree: Condition,
  isUncertain?: boolean,
): Promise<Lease> {
  try {
    const leased = await write(
      change(keyOf(account), {
        set: { refreshLeaseUntil: timestamp(leaseMs), isRefreshUncertain: isUncertain },
        when: allOf(equals('tokenVersion', account.tokenVersion), isFree),
      }),
    );

    return { isMine: true, account: leased as unknown as SocialAccount };
  } catch (failure) {
    if (!(failure instanceof ConditionNotMet)) {
      throw failure;
    }
    if (!failure.stored) {
      throw socialAccountNotFound();
    }

    return { isMine: false, account: failure.stored as unknown as SocialAccount };
  }
}

/** Lets the next one try. A lease that another one has taken since stays with that one. */
export async function endRefreshLease(
  account: SocialAccount,
  alsoSet: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await writeIfMet(
    change(keyOf(account), {
      set: { refreshLeaseUntil: null, ...alsoSet },
      when: allOf(
        equals('tokenVersion', account.tokenVersion),
        equals('refreshLeaseUntil', account.refreshLeaseUntil),
      ),
    }),
  );
}
