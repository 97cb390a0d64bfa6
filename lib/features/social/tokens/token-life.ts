import { dayMs, now, timestamp } from '#lib/platform/clock.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { networkOf } from '#lib/vendors/networks/networks.ts';
import type { Platform } from '#schemas/platforms.ts';

const longestAheadMs = 7 * dayMs;
/** Of the token's life. A refresh further ahead than half of it would do nothing but refresh. */
const aheadOfLife = 1 / 4;

/** What the life of an account's token depends on. */
export type TokenLife = {
  readonly platform: Platform;
  /** Only whether there is one. */
  readonly refreshToken?: string | undefined;
  readonly tokenIssuedAt: string;
  readonly tokenExpiresAt?: string | undefined;
};

/** Whether the network gives a new token for what the account has. */
export function canRefresh({
  platform,
  refreshToken,
}: Pick<TokenLife, 'platform' | 'refreshToken'>): boolean {
  const { tokenFamily } = networkOf(platform);

  return tokenFamily === 'EXTEND' || (tokenFamily !== 'NONE' && refreshToken !== undefined);
}

/** From when on a token is refreshed: a quarter of its life before its end, and at most a week. */
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

export function hasEnded({ tokenExpiresAt }: Pick<TokenLife, 'tokenExpiresAt'>): boolean {
  return tokenExpiresAt !== undefined && now() >= Date.parse(tokenExpiresAt);
}

/**
 * When the job looks at the token next: as it is to be refreshed or, where nothing can be done for
 * it, as it has ended. Null takes the account off the index.
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

/** `undefined`: the network does not say when the token ends, or it never does. */
export function expiryOf(expiresInSeconds: number | null | undefined): string | undefined {
  return expiresInSeconds ? timestamp(expiresInSeconds * 1_000) : undefined;
}
