import {
  requireSocialAccount,
  type SocialAccount,
  socialAccountNotFound,
} from '#lib/features/social/accounts/accounts.ts';
import {
  canRefresh,
  expiryOf,
  openToken,
  sealToken,
  type TokenHolder,
  tokenDue,
  tokenHolderKey,
} from '#lib/features/social/accounts/token-holder.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { pause, secondMs, timestamp } from '#lib/platform/clock.ts';
import { fullJitterMs } from '#lib/platform/db/backoff.ts';
import { absent, allOf, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { applied, change, type ExtraWrites, noExtraWrites, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { badRequest, requireFound } from '#lib/platform/errors/failures.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { requireCapability } from '#lib/vendors/networks/capabilities.ts';
import type { Tokens } from '#lib/vendors/networks/network.ts';
import { asAnswer, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { tokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import { deactivateAccount } from './deactivate-account.ts';

/** Longer than a network call and the following write, including retries. */
const leaseMs = 30 * secondMs;
/** 60 polls take about ten seconds, as long as the network call may take. */
const maxPolls = 60;
const meanWaitMs = 170;

const reasons = {
  refused: 'The network rejected the token renewal. Please connect the account again',
  lost: 'The token renewal was interrupted, and the network no longer accepts the old token. Please connect the account again',
} as const;

/** Retried, because losing this write would lose the new tokens. */
const maxStores = 3;

/**
 * Exchanges the holder's token for a new one. Of concurrent callers, one calls the network, and the
 * others wait for the token that it stores. The new tokens are stored before they are used.
 *
 * @param givenToken a refresh token from the user, used instead of the stored one.
 * @param extraWrites writes to store with the new tokens. The last attempt stores the tokens first.
 * @returns the account with the new token.
 * @throws NetworkError if there is no new token. `tokenInvalid` has deactivated the account, unless
 * `givenToken` was rejected.
 */
export async function refreshToken<Holder extends TokenHolder>(
  account: Holder,
  givenToken?: string,
  extraWrites: ExtraWrites<Holder> = noExtraWrites,
): Promise<Holder> {
  const [accessToken, storedToken] = await Promise.all([
    openToken(account, 'accessToken'),
    openToken(account, 'refreshToken'),
  ]);
  const lease = await takeRefreshLease(account);
  if (!lease.isMine) {
    const renewed = requireAlive(lease.account);
    await write(...(await extraWrites(renewed)));

    return renewed;
  }
  const used = { accessToken: accessToken ?? '', refreshToken: givenToken ?? storedToken };
  let tokens: Tokens;
  try {
    tokens = await tokensOf(account).refreshToken(used);
    if (givenToken !== undefined) {
      await requireOwnToken(account, tokens.accessToken);
    }
  } catch (failure) {
    return afterFailure(lease.account, failure, givenToken !== undefined);
  }

  return storeTokens(lease.account, tokens, givenToken, extraWrites);
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
  const facts = await tokensOf(account).validateToken({ platformUserId, accessToken });
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
  extraWrites: ExtraWrites<Holder>,
): Promise<Holder> {
  const { id, platform, tokenVersion } = account;
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
    ...tokenDue({ platform, refreshToken, tokenIssuedAt, tokenExpiresAt }),
  };
  const renewed = applied(account, set);
  const others = await extraWrites(renewed);
  const store = change(tokenHolderKey(account), {
    set,
    when: equals('tokenVersion', tokenVersion),
  });
  for (let tries = 1; ; tries += 1) {
    try {
      const isLast = tries === maxStores;
      // The last attempt stores only the tokens, so that a failing extra write cannot lose them.
      await write(store, ...(isLast ? [] : others));
      await write(...(isLast ? others : []));

      return renewed;
    } catch (failure) {
      if (failure instanceof ConditionNotMetError) {
        const stored = overtaken<Holder>(failure);
        await write(...(await extraWrites(stored)));

        return stored;
      }
      if (tries === maxStores) {
        throw failure;
      }
      logger.warn('Renewed tokens could not be stored and are tried again', { accountId: id });
    }
  }
}

/**
 * Another process has stored newer tokens, or the account is gone. Discards this process's tokens.
 */
function overtaken<Holder extends TokenHolder>({ stored }: ConditionNotMetError): Holder {
  if (!stored) {
    throw socialAccountNotFound();
  }

  return requireAlive(stored as unknown as Holder);
}

type Lease<Holder extends TokenHolder> = {
  /** True if this process holds the lease. Otherwise, another process has stored a newer token. */
  readonly isMine: boolean;
  readonly account: Holder;
};

/**
 * Acquires the lease to refresh the account's token. If another process holds it, waits for that
 * process and returns the account that it stored.
 *
 * @throws NetworkError `unavailable` if the other process does not finish in time.
 * @throws 404 if the account is no longer connected.
 */
async function takeRefreshLease<Holder extends TokenHolder>(
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
async function endRefreshLease(
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

export type TokenInfo = {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresIn: number | null;
  readonly tokenType: string;
  readonly refreshedAt: string;
};

/**
 * Refreshes an account's token at a user's request.
 *
 * @returns the new tokens. No other response contains tokens.
 * @throws 404, 400 if the network has no refresh or no refresh token is known, 401 if the network
 * rejects it, 502 if the network is unavailable.
 */
export async function renewToken(
  organizationId: string,
  actorId: string,
  accountId: string,
  givenToken: string | null | undefined,
  extraWrites: ExtraWrites<TokenInfo>,
): Promise<TokenInfo> {
  const account = await requireSocialAccount(organizationId, accountId);
  requireCapability(account.platform, 'tokenRefresh');
  if (!givenToken && !canRefresh(account)) {
    throw badRequest('refreshToken is required because the account was connected without one');
  }
  const renewed = await asAnswer(
    refreshToken(account, givenToken ?? undefined, async (after) => [
      ...(await extraWrites(await tokenInfoOf(after))),
      ...planAudit(organizationId, {
        action: 'social_account.token_refreshed',
        actorId,
        targetId: accountId,
      }),
    ]),
  );

  return tokenInfoOf(renewed);
}

async function tokenInfoOf(account: SocialAccount): Promise<TokenInfo> {
  const { tokenIssuedAt, tokenExpiresAt } = account;
  const [accessToken, refreshed] = await Promise.all([
    openToken(account, 'accessToken'),
    openToken(account, 'refreshToken'),
  ]);
  const lifeMs = tokenExpiresAt ? Date.parse(tokenExpiresAt) - Date.parse(tokenIssuedAt) : null;

  return {
    accessToken: accessToken ?? '',
    refreshToken: refreshed ?? null,
    expiresIn: lifeMs === null ? null : Math.round(lifeMs / secondMs),
    tokenType: 'Bearer',
    refreshedAt: tokenIssuedAt,
  };
}
