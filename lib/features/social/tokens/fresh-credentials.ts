import {
  credentialsOf,
  findMessagingCredential,
  findTokenHolder,
  type SocialAccount,
  type TokenHolder,
} from '#lib/features/social/accounts/accounts.ts';
import { recordPaidCalls } from '#lib/features/social/accounts/paid-calls.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { Credentials, Network } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import { chargesForCalls, countPaidCalls } from '#lib/vendors/networks/paid-calls.ts';
import { deactivateAccount } from './deactivate-account.ts';
import { refreshToken, requireAlive } from './refresh-token.ts';
import { canRefresh, hasTokenEnded, isRefreshDue } from './token-life.ts';

const rejected = 'The network no longer accepts the token. Please connect the account again';

/**
 * Returns credentials whose token does not expire within the next minutes. Refreshes the token
 * first if needed. If the refresh fails and the old token is still valid, the old one is used.
 *
 * @throws NetworkError `tokenInvalid` if the token is invalid; another kind if it has expired and
 * cannot be refreshed now.
 */
export async function freshCredentials(account: TokenHolder): Promise<Credentials> {
  return credentialsOf(await freshAccount(account));
}

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
 * Calls the account's network with a fresh token. If the network rejects the token, refreshes it
 * and retries once; a rejected token proves that nothing was done. If the token cannot be
 * refreshed, or the new one is rejected too, deactivates the account and notifies its owners.
 * Otherwise every call would use up another refresh token.
 *
 * @throws NetworkError and anything else that `call` throws.
 */
export async function withFreshToken<T>(
  account: TokenHolder,
  call: (network: Network, credentials: Credentials) => Promise<T>,
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
  call: (network: Network, credentials: Credentials) => Promise<T>,
): Promise<T> {
  const network = networkOf(account.platform);
  const fresh = await freshAccount(account);
  try {
    return await call(network, await credentialsOf(fresh));
  } catch (failure) {
    if (!isDeadToken(failure)) {
      throw failure;
    }
    const renewed = await renewOrDeactivate(fresh, failure);

    return await callWithNewToken(renewed, call);
  }
}

async function callWithNewToken<T>(
  renewed: TokenHolder,
  call: (network: Network, credentials: Credentials) => Promise<T>,
): Promise<T> {
  try {
    return await call(networkOf(renewed.platform), await credentialsOf(renewed));
  } catch (failure) {
    if (isDeadToken(failure)) {
      await deactivateAccount(renewed, rejected);
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
  call: (network: Network, credentials: Credentials) => Promise<T>,
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

/** Reads the account again first: another process may have refreshed the token. */
async function renewOrDeactivate(
  account: TokenHolder,
  failure: NetworkError,
): Promise<TokenHolder> {
  const current = await findTokenHolder(account);
  if (!current) {
    throw failure;
  }
  if (current.tokenVersion !== account.tokenVersion) {
    return requireAlive(current);
  }
  if (canRefresh(current)) {
    return refreshToken(current);
  }
  await deactivateAccount(current, rejected);
  throw failure;
}
