import {
  credentialsOf,
  findSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import type { Credentials, Network } from '#lib/vendors/networks/network.ts';
import { NetworkFailure } from '#lib/vendors/networks/network-failure.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import { deactivateAccount } from './deactivate-account.ts';
import { refreshToken, requireAlive } from './refresh-token.ts';
import { canRefresh, hasEnded, isRefreshDue } from './token-life.ts';

const rejected = 'The network no longer accepts the token. Please connect the account again';

/**
 * What the account's network is called with, by a token that does not end within the next minutes:
 * one that is about to is refreshed first. Where that fails and the token still lives, it is used.
 *
 * @throws NetworkFailure `tokenInvalid` where the token is dead, another kind where it has ended and
 * cannot be refreshed now.
 */
export async function freshCredentials(account: SocialAccount): Promise<Credentials> {
  return credentialsOf(await freshAccount(account));
}

async function freshAccount(account: SocialAccount): Promise<SocialAccount> {
  requireAlive(account);
  if (!isRefreshDue(account)) {
    return account;
  }
  try {
    return await refreshToken(account);
  } catch (failure) {
    const isPassing = failure instanceof NetworkFailure && failure.kind !== 'tokenInvalid';
    if (isPassing && !hasEnded(account)) {
      return account;
    }
    throw failure;
  }
}

/**
 * Calls the account's network with a fresh token. Where the network says that it is dead, it is
 * exchanged and the call made once more, as a refused token proves that nothing was done; where that
 * is not possible, the account is deactivated and its owners are told.
 *
 * @throws NetworkFailure and whatever else the call throws.
 */
export async function withFreshToken<T>(
  account: SocialAccount,
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

    return call(network, await credentialsOf(renewed));
  }
}

export function isDeadToken(failure: unknown): failure is NetworkFailure {
  return failure instanceof NetworkFailure && failure.kind === 'tokenInvalid';
}

/** The row is read again first: another one may have exchanged the token meanwhile. */
async function renewOrDeactivate(
  account: SocialAccount,
  failure: NetworkFailure,
): Promise<SocialAccount> {
  const current = await findSocialAccount(account.organizationId, account.id);
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
