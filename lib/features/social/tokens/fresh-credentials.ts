import { recordPaidCalls } from '#lib/features/network-costs/paid-calls.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import {
  canRefresh,
  credentialsOf,
  findMessagingCredential,
  findTokenHolder,
  hasTokenEnded,
  isRefreshDue,
  type TokenHolder,
} from '#lib/features/social/accounts/token-holder.ts';
import { chargesForCalls, countPaidCalls } from '#lib/vendors/networks/call-counts.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { deactivateAccount } from './deactivate-account.ts';
import { refreshToken, requireAlive } from './refresh-token.ts';

const rejected = 'The network no longer accepts the token. Please connect the account again';

/**
 * Calls the account's network with a token that does not expire within the next minutes. If the
 * network rejects the token, refreshes it and retries once, because a rejected token proves that
 * nothing was done. If the token cannot be refreshed, or the new one is rejected too, deactivates
 * the account and notifies its owners. Otherwise, every call would use up another refresh token.
 *
 * @throws NetworkError and anything else that `call` throws.
 */
export async function withFreshToken<T>(
  account: TokenHolder,
  call: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  return chargesForCalls(account.platform)
    ? countPaidCalls(
        () => callWithFreshToken(account, call),
        (calls) => recordPaidCalls(account, calls),
      )
    : callWithFreshToken(account, call);
}

async function callWithFreshToken<T>(
  account: TokenHolder,
  call: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  const fresh = await freshAccount(account);
  const first = await attempt(fresh, call);
  if ('value' in first) {
    return first.value;
  }
  // Another process may have refreshed the token.
  const current = await findTokenHolder(fresh);
  if (!current) {
    throw first.rejection;
  }
  const renewed = await renew(current, fresh.tokenVersion);
  const last = renewed ? await attempt(renewed, call) : first;
  if ('value' in last) {
    return last.value;
  }
  await deactivateAccount(renewed ?? current, rejected);
  throw last.rejection;
}

/**
 * Returns the holder with a different token than the rejected one. `undefined` if there is none.
 */
async function renew(
  current: TokenHolder,
  rejectedVersion: number,
): Promise<TokenHolder | undefined> {
  if (current.tokenVersion !== rejectedVersion) {
    return requireAlive(current);
  }

  return canRefresh(current) ? refreshToken(current) : undefined;
}

type Attempt<T> = { readonly value: T } | { readonly rejection: NetworkError };

async function attempt<T>(
  holder: TokenHolder,
  call: (credentials: Credentials) => Promise<T>,
): Promise<Attempt<T>> {
  try {
    return { value: await call(await credentialsOf(holder)) };
  } catch (failure) {
    if (!isDeadToken(failure)) {
      throw failure;
    }

    return { rejection: failure };
  }
}

/** Refreshes the token if needed. If that fails, uses the old one while it is valid. */
async function freshAccount<Holder extends TokenHolder>(account: Holder): Promise<Holder> {
  requireAlive(account);
  if (!isRefreshDue(account)) {
    return account;
  }
  try {
    return await refreshToken(account);
  } catch (failure) {
    const isPassing = failure instanceof NetworkError && failure.kind !== 'tokenInvalid';
    if (isPassing && !hasTokenEnded(account)) {
      return account;
    }
    throw failure;
  }
}

/**
 * Calls the network for the account's messages, comments or events, like `withFreshToken`. Uses the
 * account's second credential if the network needs one.
 *
 * @throws NetworkError `scopeMissing` if the account has no such credential.
 */
export async function withMessagingToken<T>(
  account: SocialAccount,
  call: (credentials: Credentials) => Promise<T>,
): Promise<T> {
  if (!capabilities[account.platform].needsBusinessToken) {
    return withFreshToken(account, call);
  }
  const credential = await findMessagingCredential(account);
  if (!credential) {
    throw new NetworkError(account.platform, 'scopeMissing', {
      message: 'The account has no token for messages and comments. Connect it with businessToken',
    });
  }

  return withFreshToken(credential, call);
}

export function isDeadToken(failure: unknown): failure is NetworkError {
  return failure instanceof NetworkError && failure.kind === 'tokenInvalid';
}
