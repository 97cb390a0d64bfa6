import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { interactionState } from '#lib/features/social/accounts/messaging-state.ts';
import { credentialsOf } from '#lib/features/social/accounts/token-holder.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, hourMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change, discard, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { dispatch, planWork } from '#lib/platform/work/outbox.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import type { SubscriptionOutcome } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { subscriptionsOf } from '#lib/vendors/networks/ports/subscriptions.ts';
import type { Platform } from '#schemas/platforms.ts';
import { arrangeCommentsPoll } from './comments-poll.ts';

/**
 * Subscriptions are renewed daily, because some expire (YouTube's after ten days), and networks
 * silently drop others. Renewing an existing subscription changes nothing.
 */
const renewAfterMs = dayMs;
const retryAfterMs = 10 * minuteMs;
/** The maximum accepted `Retry-After` of a network. */
const maxRetryAfterMs = 6 * hourMs;

/** The URL to which a network sends the events of all connected accounts. */
function callbackUrl(platform: Platform): string {
  return `${config.publicBaseUrl}/webhooks/${platform.toLowerCase()}`;
}

/**
 * Plans the recurring work that keeps the account's events subscribed. It starts after the account
 * is stored, and never completes: there is one work item per account.
 */
export function planSubscription(
  { organizationId, id }: Pick<SocialAccount, 'organizationId' | 'id'>,
  options: { readonly leaveToSweep?: boolean } = {},
): Write {
  return planWork('accountSubscription', {
    owner: organizationKeys.organization(organizationId),
    payload: { organizationId, accountId: id },
    workId: id,
    replaces: true,
    ...options,
  });
}

/** Ends this work, in the transaction that removes the account. */
export function planSubscriptionEnd(account: Pick<SocialAccount, 'organizationId' | 'id'>): Write {
  return discard(planSubscription(account).key);
}

/**
 * Subscribes immediately. If this is not possible, a worker keeps trying. An account without a
 * token for messages and comments is not subscribed.
 */
export async function subscribeNow(account: SocialAccount): Promise<void> {
  const { key } = planSubscription(account);
  try {
    if (interactionState(account) === 'CONNECTED') {
      await subscribe(account);
    }
    await write(change(key, { set: { dueAt: timestamp(renewAfterMs) } }));
  } catch (failure) {
    logger.warn('An account could not be subscribed at once; a worker will', {
      accountId: account.id,
      failure: describeFailure(failure),
    });
    await dispatch('accountSubscription', key, {});
  }
}

/** Runs as a worker. It may be called again, and always results in the same state. */
export async function maintainSubscription({
  payload,
}: WorkRequest<'accountSubscription'>): Promise<WorkOutcome> {
  const { organizationId, accountId } = payload;
  const account = await findSocialAccount(organizationId, accountId);
  if (!account) {
    return 'done';
  }
  // A token that turns out to be valid, or is renewed, reactivates the account without notifying
  // this worker. So keep checking.
  if (interactionState(account) !== 'CONNECTED') {
    return { againInMs: renewAfterMs };
  }
  try {
    await subscribe(account);

    return { againInMs: renewAfterMs };
  } catch (failure) {
    if (!(failure instanceof NetworkError)) {
      throw failure;
    }
    logger.warn('The events of an account could not be asked for; they will be again', {
      accountId,
      platform: account.platform,
      failure: describeFailure(failure),
    });
    await storeStatus(account, { subscriptionFailure: failure.message });
    await arrangeCommentsPoll(account, false);

    return { againInMs: Math.min(failure.retryAfterMs ?? retryAfterMs, maxRetryAfterMs) };
  }
}

/**
 * Subscribes to the account's events at the network. If the network does not allow it, stores the
 * reason on the account, which stays connected without events. Then comments are polled, if the
 * network allows that.
 *
 * @throws NetworkError for transient failures.
 */
async function subscribe(account: SocialAccount): Promise<void> {
  let outcome: SubscriptionOutcome;
  try {
    outcome = await withMessagingToken(account, (credentials) =>
      subscriptionsOf(account.platform).subscribe(credentials, callbackUrl(account.platform)),
    );
  } catch (failure) {
    if (!isPermanentFailure(failure)) {
      throw failure;
    }
    logger.warn('A network refuses to send the events of an account', {
      accountId: account.id,
      platform: account.platform,
      failure: describeFailure(failure),
    });
    await storeStatus(account, { subscriptionFailure: failure.message });
    await arrangeCommentsPoll(account, false);

    return;
  }
  await arrangeCommentsPoll(account, outcome !== 'withoutComments');
  const stands = await storeStatus(account, {
    subscribedAt: timestamp(),
    subscriptionFailure: null,
  });
  if (!stands) {
    // The account was disconnected concurrently and must not stay subscribed.
    await unsubscribe(account);
  }
}

/** True if the network rejected the request or does not support the feature. */
function isPermanentFailure(failure: unknown): failure is NetworkError | ApiError {
  if (failure instanceof NetworkError) {
    return !failure.isTransient && failure.kind !== 'outcomeUnknown';
  }

  return failure instanceof ApiError && failure.kind === 'badRequest';
}

/** Returns false if the account no longer exists. */
function storeStatus(
  { organizationId, id }: SocialAccount,
  set: { readonly subscribedAt?: string; readonly subscriptionFailure: string | null },
): Promise<boolean> {
  return writeIfMet(change(socialKeys.socialAccount(organizationId, id), { set }));
}

/**
 * Unsubscribes from the account's events. With an invalid token this is impossible, but also
 * unnecessary, because events of accounts that are not connected are ignored.
 *
 * @throws NetworkError for transient failures.
 */
export async function unsubscribe(account: SocialAccount): Promise<void> {
  try {
    await subscriptionsOf(account.platform).unsubscribe(await credentialsOf(account));
  } catch (failure) {
    if (!isPermanentFailure(failure)) {
      throw failure;
    }
    logger.info('A network was not told that an account is disconnected', {
      accountId: account.id,
      failure: describeFailure(failure),
    });
  }
}
