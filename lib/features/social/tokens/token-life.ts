import type { TokenHolder } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, now, timestamp } from '#lib/platform/clock.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import type { TokenApi } from '#lib/vendors/networks/network.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import type { Platform } from '#schemas/platforms.ts';

const longestAheadMs = 7 * dayMs;
/** Share of the token's lifetime. */
const aheadOfLife = 1 / 4;

export type TokenLife = {
  readonly platform: Platform;
  readonly purpose?: TokenHolder['purpose'];
  /** Only its presence matters. */
  readonly refreshToken?: string | undefined;
  readonly tokenIssuedAt: string;
  readonly tokenExpiresAt?: string | undefined;
};

/**
 * Returns how the network validates and refreshes the holder's token.
 *
 * @throws 400 if the network has no second kind of token.
 */
export function tokenApiOf({
  platform,
  purpose,
}: Pick<TokenLife, 'platform' | 'purpose'>): TokenApi {
  const network = networkOf(platform);
  if (purpose === undefined) {
    return network;
  }
  if (!network.businessTokens) {
    throw badRequest(`businessToken is not supported for ${platform}`);
  }

  return network.businessTokens;
}

/** True if the network can issue a new token for this holder. */
export function canRefresh({
  refreshToken,
  ...holder
}: Pick<TokenLife, 'platform' | 'purpose' | 'refreshToken'>): boolean {
  const { tokenFamily } = tokenApiOf(holder);

  return tokenFamily === 'EXTEND' || (tokenFamily !== 'NONE' && refreshToken !== undefined);
}

/** Tokens are refreshed once a quarter of their lifetime is left, at most a week before expiry. */
export function refreshAt({
  tokenIssuedAt,
  tokenExpiresAt,
}: Pick<TokenLife, 'tokenIssuedAt' | 'tokenExpiresAt'>): number {
  if (tokenExpiresAt === undefined) {
    return Number.POSITIVE_INFINITY;
  }
  const endsAt = Date.parse(tokenExpiresAt);
  const lifeMs = Math.max(0, endsAt - Date.parse(tokenIssuedAt));

  return endsAt - Math.min(longestAheadMs, lifeMs * aheadOfLife);
}

export function isRefreshDue(account: TokenLife): boolean {
  return canRefresh(account) && now() >= refreshAt(account);
}

export function hasTokenEnded({ tokenExpiresAt }: Pick<TokenLife, 'tokenExpiresAt'>): boolean {
  return tokenExpiresAt !== undefined && now() >= Date.parse(tokenExpiresAt);
}

/**
 * Returns when the job checks the token next: when its refresh is due, or at expiry if it cannot be
 * refreshed. Null removes the account from the index.
 */
export function tokenDue(account: TokenLife) {
  if (account.tokenExpiresAt === undefined) {
    return { duePk: null, dueAt: null };
  }
  const dueAt = canRefresh(account)
    ? new Date(refreshAt(account)).toISOString()
    : account.tokenExpiresAt;

  return dueIn('TOKEN_REFRESH', dueAt);
}

/** `undefined` if the network reports no expiry, or the token never expires. */
export function expiryOf(expiresInSeconds: number | null | undefined): string | undefined {
  return expiresInSeconds ? timestamp(expiresInSeconds * 1_000) : undefined;
}
