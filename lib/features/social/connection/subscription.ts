import {
  credentialsOf,
  findSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, hourMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, discard, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { dispatch, planWork, type WorkOptions } from '#lib/platform/work/outbox.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { NetworkFailure } from '#lib/vendors/networks/network-failure.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import type { Platform } from '#schemas/platforms.ts';

type AccountName = { readonly organizationId: string; readonly accountId: string };

/**
 * Every subscription is asked for anew once a day: some end by themselves (YouTube's after ten days),
 * and networks drop others without a word. Where there is one already, nothing changes.
 */
const renewAfterMs = dayMs;
const retryAfterMs = 10 * minuteMs;
/** A network that asks for more patience than this is asked again all the same. */
const maxRetryAfterMs = 6 * hourMs;

/** Where a network sends the events of all accounts that are connected here. */
function callbackUrl(platform: Platform): string {
  return `${config.publicBaseUrl}/webhooks/${platform.toLowerCase()}`;
}

/**
 * The network is to send the account's events, once the account stands in the table, and for as long
 * as it does: an account has one piece of this work, which is never done.
 */
export function planSubscription(
  { organizationId, id }: Pick<SocialAccount, 'organizationId' | 'id'>,
  options: Pick<WorkOptions, 'leaveToSweep'> = {},
): Write {
  const payload: AccountName = { organizationId, accountId: id };

  return planWork('accountSubscription', {
    owner: keys.organization(organizationId),
    payload: JSON.stringify(payload),
    workId: id,
    replaces: true,
    ...options,
  });
}

/** The end of that work, for the transaction that removes the account. */
export function planSubscriptionEnd(account: Pick<SocialAccount, 'organizationId' | 'id'>): Write {
  return discard(planSubscription(account).key);
}

/** Subscribes at once; where that is not possible now, a worker goes on trying. */
export async function subscribeNow(account: SocialAccount, workKey: Key): Promise<void> {
  try {
    await subscribe(account);
    await write(change(workKey, { set: { dueAt: timestamp(renewAfterMs) } }));
  } catch (failure) {
    logger.warn('An account could not be subscribed at once; a worker will', {
      accountId: account.id,
      failure: describeFailure(failure),
    });
    await dispatch('accountSubscription', workKey, {});
  }
}

/** What the worker does: it may be called again, and ends in the same state. */
export async function settleSubscription({ payload }: WorkRequest): Promise<WorkOutcome> {
  const { organizationId, accountId }: AccountName = JSON.parse(payload);
  const account = await findSocialAccount(organizationId, accountId);
  if (!account) {
    return 'done';
  }
  // With a token that turns out to live, or is renewed, it is active again without a word to here.
  if (!account.isActive) {
    return { againInMs: renewAfterMs };
  }
  try {
    await subscribe(account);

    return { againInMs: renewAfterMs };
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) {
      throw failure;
    }
    logger.warn('The events of an account could not be asked for; they will be again', {
      accountId,
      platform: account.platform,
      failure: describeFailure(failure),
    });
    await note(account, { subscriptionFailure: failure.message });

    return { againInMs: Math.min(failure.retryAfterMs ?? retryAfterMs, maxRetryAfterMs) };
  }
}

/**
 * Makes the network send the account's events. What the network does not allow is noted on the
 * account, and leaves it connected without events.
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
    await note(account, { subscriptionFailure: failure.message });

    return;
  }
  const stands = await note(account, { subscribedAt: timestamp(), subscriptionFailure: null });
  if (!stands) {
    // An account that was disconnected meanwhile must not stay subscribed.
    await unsubscribe(account);
  }
}

/** Refused by the network, or a thing that the network does not have. */
function isForGood(failure: unknown): failure is NetworkFailure | ApiError {
  if (failure instanceof NetworkFailure) {
    return !failure.isTransient && failure.kind !== 'outcomeUnknown';
  }

  return failure instanceof ApiError && failure.kind === 'badRequest';
}

/** `false`: the account is not there any more. */
function note(
  { organizationId, id }: SocialAccount,
  set: { readonly subscribedAt?: string; readonly subscriptionFailure: string | null },
): Promise<boolean> {
  return writeIfMet(change(keys.socialAccount(organizationId, id), { set }));
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
