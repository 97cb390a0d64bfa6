import {
  socialAccountNotFound,
  type TokenHolder,
  tokenHolderKey,
} from '#lib/features/social/accounts/accounts.ts';
import { pause, secondMs, timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { fullJitterMs } from '#lib/platform/db/jitter.ts';
import { ConditionNotMetError, change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';

/** Longer than a network call and the following write take, including retries. */
const leaseMs = 30 * secondMs;
/** 60 polls take about ten seconds, as long as the network call may take. */
const maxPolls = 60;
const meanWaitMs = 170;

export type Lease<Holder extends TokenHolder> = {
  /** True if this process holds the lease. Otherwise another one has stored a newer token. */
  readonly isMine: boolean;
  readonly account: Holder;
};

/**
 * Acquires the lease to refresh the account's token. If another process holds it, waits until that
 * one is done and returns the account that it stored.
 *
 * @throws NetworkError `unavailable` if the other process does not finish in time.
 * @throws 404 if the account is no longer connected.
 */
export async function takeRefreshLease<Holder extends TokenHolder>(
  account: Holder,
): Promise<Lease<Holder>> {
  for (let polls = 1; polls <= maxPolls; polls += 1) {
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
  throw new NetworkError(account.platform, 'unavailable', {
    message: 'The token is being refreshed by another request',
  });
}

/** An expired lease means that its holder crashed, so the network's response is unknown. */
async function tryLease<Holder extends TokenHolder>(
  account: Holder,
  isFree: Condition,
  isUncertain?: boolean,
): Promise<Lease<Holder>> {
  try {
    const leased = await write(
      change(tokenHolderKey(account), {
        set: { refreshLeaseUntil: timestamp(leaseMs), isRefreshUncertain: isUncertain },
        when: allOf(equals('tokenVersion', account.tokenVersion), isFree),
      }),
    );

    return { isMine: true, account: leased as unknown as Holder };
  } catch (failure) {
    if (!(failure instanceof ConditionNotMetError)) {
      throw failure;
    }
    if (!failure.stored) {
      throw socialAccountNotFound();
    }

    return { isMine: false, account: failure.stored as unknown as Holder };
  }
}

/** Releases the lease, unless another process has acquired it since. */
export async function endRefreshLease(
  account: TokenHolder,
  alsoSet: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await writeIfMet(
    change(tokenHolderKey(account), {
      set: { refreshLeaseUntil: null, ...alsoSet },
      when: allOf(
        equals('tokenVersion', account.tokenVersion),
        equals('refreshLeaseUntil', account.refreshLeaseUntil),
      ),
    }),
  );
}
