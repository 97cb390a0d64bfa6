import {
  openToken,
  sealToken,
  socialAccountNotFound,
  type TokenHolder,
  tokenHolderKey,
} from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import {
  type Alongside,
  applied,
  ConditionNotMetError,
  change,
  nothingElse,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, requireFound } from '#lib/platform/errors/failures.ts';
import { logger } from '#lib/platform/log/logger.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { deactivateAccount } from './deactivate-account.ts';
import { endRefreshLease, takeRefreshLease } from './refresh-lease.ts';
import { expiryOf, tokenApiOf, tokenDue } from './token-life.ts';

const reasons = {
  refused: 'The network rejected the token renewal. Please connect the account again',
  lost: 'The token renewal was interrupted, and the network no longer accepts the old token. Please connect the account again',
} as const;

/** Retried, because losing this write would lose the new tokens. */
const maxStores = 3;

/**
 * Exchanges the holder's token for a new one. Of concurrent callers, one calls the network; the
 * others wait for the token that it stores. The new tokens are stored before they are used.
 *
 * @param givenToken a refresh token from the user, used instead of the stored one.
 * @param alongside writes to store with the new tokens. The last attempt stores the tokens first.
 * @returns the account with the new token.
 * @throws NetworkError if there is no new token. `tokenInvalid` has deactivated the account,
 * unless `givenToken` was rejected.
 */
export async function refreshToken<Holder extends TokenHolder>(
  account: Holder,
  givenToken?: string,
  alongside: Alongside<Holder> = nothingElse,
): Promise<Holder> {
  const [accessToken, storedToken] = await Promise.all([
    openToken(account, 'accessToken'),
    openToken(account, 'refreshToken'),
  ]);
  const lease = await takeRefreshLease(account);
  if (!lease.isMine) {
    const renewed = requireAlive(lease.account);
    await write(...(await alongside(renewed)));

    return renewed;
  }
  const used = { accessToken: accessToken ?? '', refreshToken: givenToken ?? storedToken };
  let tokens: Tokens;
  try {
    tokens = await tokenApiOf(account).refreshToken(used);
    if (givenToken !== undefined) {
      await requireOwnToken(account, tokens.accessToken);
    }
  } catch (failure) {
    return afterFailure(lease.account, failure, givenToken !== undefined);
  }

  return storeTokens(lease.account, tokens, givenToken, alongside);
}

/** @throws NetworkError `tokenInvalid` if the account is inactive. */
export function requireAlive<Holder extends TokenHolder>(account: Holder): Holder {
  if (!account.isActive) {
    throw new NetworkError(account.platform, 'tokenInvalid', {
      message: account.inactiveReason ?? 'The account is not active',
    });
  }

  return account;
}

/** Rejects a token that belongs to a different account than the connected one. */
async function requireOwnToken(account: TokenHolder, accessToken: string): Promise<void> {
  const { platformUserId } = account;
  const facts = await tokenApiOf(account).validateToken({ platformUserId, accessToken });
  if (!facts.platformUserIds.includes(platformUserId)) {
    throw badRequest('refreshToken must belong to the connected account');
  }
}

async function afterFailure<Holder extends TokenHolder>(
  account: Holder,
  failure: unknown,
  wasGiven: boolean,
): Promise<Holder> {
  const kind = failure instanceof NetworkError ? failure.kind : undefined;
  if (kind !== 'tokenInvalid' || wasGiven) {
    const isUncertain = kind === 'outcomeUnknown' && !wasGiven ? true : undefined;
    await endRefreshLease(account, {
      isRefreshUncertain: isUncertain,
      lastRefreshError: failure instanceof NetworkError && !wasGiven ? failure.message : undefined,
    });
    throw failure;
  }
  if (!account.isActive) {
    await endRefreshLease(account);
    throw failure;
  }
  const { lost, refused } = reasons;
  const now = requireFound(
    await deactivateAccount(account, account.isRefreshUncertain ? lost : refused),
    'Social account',
  );

  return requireAlive(now);
}

async function storeTokens<Holder extends TokenHolder>(
  account: Holder,
  tokens: Tokens,
  givenToken: string | undefined,
  alongside: Alongside<Holder>,
): Promise<Holder> {
  const { id, platform, purpose, tokenVersion } = account;
  const newRefreshToken = tokens.refreshToken ?? givenToken;
  const [accessToken, refreshToken] = await Promise.all([
    sealToken(account, 'accessToken', tokens.accessToken),
    newRefreshToken === undefined
      ? account.refreshToken
      : sealToken(account, 'refreshToken', newRefreshToken),
  ]);
  const tokenIssuedAt = timestamp();
  const tokenExpiresAt = expiryOf(tokens.expiresInSeconds);
  const set = {
    accessToken,
    refreshToken,
    tokenVersion: tokenVersion + 1,
    tokenIssuedAt,
    tokenExpiresAt: tokenExpiresAt ?? null,
    permissions: tokens.scopes,
    isActive: true,
    inactiveReason: null,
    refreshLeaseUntil: null,
    isRefreshUncertain: null,
    lastRefreshAt: tokenIssuedAt,
    lastRefreshError: null,
    ...tokenDue({ platform, purpose, refreshToken, tokenIssuedAt, tokenExpiresAt }),
  };
  const renewed = applied(account, set);
  const others = await alongside(renewed);
  const store = change(tokenHolderKey(account), {
    set,
    when: equals('tokenVersion', tokenVersion),
  });
  for (let tries = 1; ; tries += 1) {
    try {
      const isLast = tries === maxStores;
      // The last attempt stores the tokens alone, so that a failing extra write cannot lose them.
      await write(store, ...(isLast ? [] : others));
      await write(...(isLast ? others : []));

      return renewed;
    } catch (failure) {
      if (failure instanceof ConditionNotMetError) {
        const stored = overtaken<Holder>(failure);
        await write(...(await alongside(stored)));

        return stored;
      }
      if (tries === maxStores) {
        throw failure;
      }
      logger.warn('Renewed tokens could not be stored and are tried again', { accountId: id });
    }
  }
}

/** Another process has stored newer tokens, or the account is gone. Discard ours. */
function overtaken<Holder extends TokenHolder>({ stored }: ConditionNotMetError): Holder {
  if (!stored) {
    throw socialAccountNotFound();
  }

  return requireAlive(stored as unknown as Holder);
}
