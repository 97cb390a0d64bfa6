import { timestamp } from '#lib/clock.ts';
import { config } from '#lib/config.ts';
import { type Key, keys } from '#lib/db/keys.ts';
import { ConditionNotMet, change, discard, write } from '#lib/db/write.ts';
import { ApiError } from '#lib/errors/api-error.ts';
import { describeFailure, logger } from '#lib/log/logger.ts';
import { planWork, type Work } from '#lib/work/outbox.ts';
import type { WorkRequest } from '#lib/work/worker.ts';
import type { Platform } from '#schemas/platforms.ts';
import { credentialsOf, findSocialAccount, type SocialAccount } from './accounts.ts';
import { NetworkFailure } from './networks/network-failure.ts';
import { networkOf } from './networks/networks.ts';
import { withFreshToken } from './tokens/fresh-credentials.ts';

type AccountName = { readonly organizationId: string; readonly accountId: string };

/** Where a network sends the events of all accounts that are connected here. */
function callbackUrl(platform: Platform): string {
  return `${config.publicBaseUrl}/webhooks/${platform.toLowerCase()}`;
}

export type PlannedSubscription = Work & { readonly key: Key };

/** The network is to send the account's events, once the account stands in the table. */
export function planSubscription({
  organizationId,
  id,
}: Pick<SocialAccount, 'organizationId' | 'id'>): PlannedSubscription {
  const payload: AccountName = { organizationId, accountId: id };
  const work = planWork('accountSubscription', {
    owner: keys.organization(organizationId),
    payload: JSON.stringify(payload),
  });

  return { ...work, key: work.write.key };
}

/** Subscribes at once; where that is not possible now, a worker goes on trying. */
export async function subscribeNow(
  account: SocialAccount,
  planned: PlannedSubscription,
): Promise<void> {
  try {
    await subscribe(account);
    await write(discard(planned.key));
  } catch (failure) {
    logger.warn('An account could not be subscribed at once; a worker will', {
      accountId: account.id,
      failure: describeFailure(failure),
    });
    await planned.dispatch();
  }
}

/** What the worker does: it may be called again, and ends in the same state. */
export async function settleSubscription({ payload }: WorkRequest): Promise<'done'> {
  const { organizationId, accountId }: AccountName = JSON.parse(payload);
  const account = await findSocialAccount(organizationId, accountId);
  if (account?.isActive) {
    await subscribe(account);
  }

  return 'done';
}

/**
 * Makes the network send the account's events. What the network will never allow is noted in the
 * log, and leaves the account connected without events.
 *
 * @throws NetworkFailure for what may pass later.
 */
async function subscribe(account: SocialAccount): Promise<void> {
  try {
    await withFreshToken(account, (network, credentials) =>
      network.subscribe(credentials, callbackUrl(account.platform)),
    );
  } catch (failure) {
    if (!isForGood(failure)) {
      throw failure;
    }
    logger.warn('A network refuses to send the events of an account', {
      accountId: account.id,
      platform: account.platform,
      failure: describeFailure(failure),
    });

    return;
  }
  await noteSubscription(account);
}

/** Refused by the network, or a thing that the network does not have. */
function isForGood(failure: unknown): boolean {
  if (failure instanceof NetworkFailure) {
    return !failure.isTransient && failure.kind !== 'outcomeUnknown';
  }

  return failure instanceof ApiError && failure.kind === 'badRequest';
}

/** An account that was disconnected meanwhile must not stay subscribed. */
async function noteSubscription(account: SocialAccount): Promise<void> {
  try {
    await write(
      change(keys.socialAccount(account.organizationId, account.id), {
        set: { subscribedAt: timestamp() },
      }),
    );
  } catch (failure) {
    if (!(failure instanceof ConditionNotMet)) {
      throw failure;
    }
    await unsubscribe(account);
  }
}

/**
 * Ends the account's events. With a token that is dead nothing can be done, and nothing needs to be:
 * events of an account that nobody has connected are not taken.
 *
 * @throws NetworkFailure for what may pass later.
 */
export async function unsubscribe(account: SocialAccount): Promise<void> {
  try {
    await networkOf(account.platform).unsubscribe(await credentialsOf(account));
  } catch (failure) {
    if (!isForGood(failure)) {
      throw failure;
    }
    logger.info('A network was not told that an account is disconnected', {
      accountId: account.id,
      failure: describeFailure(failure),
    });
  }
}
