import { dayMs, now, timestamp } from '#lib/platform/clock.ts';
import { contextOf, decrypt, encrypt } from '#lib/platform/crypto/encryption.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { tokenFamilies } from '#lib/vendors/networks/capabilities.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import type { Platform } from '#schemas/platforms.ts';

/**
 * A token pair and its lifecycle, as stored. The tokens are encrypted for the item with this key.
 */
export type TokenHolder = Key & {
  /** The account's id. */
  readonly id: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly platformUserId: string;
  /** Absent for the account itself. */
  readonly purpose?: 'messaging';
  readonly permissions: readonly string[];
  readonly isActive: boolean;
  /** The reason that the owners see. */
  readonly inactiveReason?: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Incremented with each new token pair. A concurrent refresh of an older version is rejected. */
  readonly tokenVersion: number;
  readonly tokenIssuedAt: string;
  /** Absent if the token does not expire. */
  readonly tokenExpiresAt?: string;
  /** Absent if the token has not been refreshed since a person connected the account. */
  readonly lastRefreshAt?: string;
  /** Set if the last refresh failed. */
  readonly lastRefreshError?: string;
  /** Set while a refresh is in progress. */
  readonly refreshLeaseUntil?: string;
  /** True if a refresh was started, but the network's response was lost. */
  readonly isRefreshUncertain?: boolean;
  /** Set while the token can expire: when it is checked next. */
  readonly duePk?: string;
  readonly dueAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const tokenFields = ['accessToken', 'refreshToken'] as const;
export type TokenField = (typeof tokenFields)[number];

type HolderId = Pick<TokenHolder, 'organizationId' | 'id' | 'purpose'>;

export function tokenHolderKey({ organizationId, id, purpose }: HolderId): Key {
  return purpose === 'messaging'
    ? socialKeys.messagingCredential(organizationId, id)
    : socialKeys.socialAccount(organizationId, id);
}

/** Encrypts a token for the item with this key. A copy on another item cannot be decrypted. */
export function sealToken(holder: Key, field: TokenField, token: string): Promise<string> {
  return encrypt(token, contextOf(holder, field));
}

/** Decrypts a token. `undefined` if the holder has no such token. */
export async function openToken(
  holder: TokenHolder,
  field: TokenField,
): Promise<string | undefined> {
  const sealed = holder[field];

  return sealed === undefined ? undefined : decrypt(sealed, contextOf(holder, field));
}

type SealedCredentials = Key & Pick<TokenHolder, 'platformUserId' | 'accessToken'>;

/** Returns the network credentials. The token may be about to expire, see `freshCredentials`. */
export async function credentialsOf(holder: SealedCredentials): Promise<Credentials> {
  const accessToken = await decrypt(holder.accessToken, contextOf(holder, 'accessToken'));

  return { platformUserId: holder.platformUserId, accessToken };
}

/** Returns the current state of a token holder. */
export function findTokenHolder<Holder extends TokenHolder>(
  holder: Holder,
): Promise<Holder | undefined> {
  return get<Holder>(tokenHolderKey(holder));
}

/** Returns the account's second credential, for messages and comments, if it has one. */
export function findMessagingCredential({
  organizationId,
  id,
}: Pick<TokenHolder, 'organizationId' | 'id'>): Promise<TokenHolder | undefined> {
  return get<TokenHolder>(socialKeys.messagingCredential(organizationId, id));
}

const longestAheadMs = 7 * dayMs;
/** The share of the token's lifetime before its end in which it is refreshed. */
const aheadOfLife = 1 / 4;

/**
 * The fields that decide when the token is refreshed. Only the presence of `refreshToken` matters.
 */
export type TokenLife = {
  readonly platform: Platform;
  readonly refreshToken?: string | undefined;
  readonly tokenIssuedAt: string;
  readonly tokenExpiresAt?: string | undefined;
};

/** True if the service can refresh the token without a person. */
export function canRefresh({
  platform,
  refreshToken,
}: Pick<TokenLife, 'platform' | 'refreshToken'>): boolean {
  const family = tokenFamilies[platform];

  return family === 'EXTEND' || (family !== 'NONE' && refreshToken !== undefined);
}

/** Tokens are refreshed when a quarter of their lifetime remains, at most a week before expiry. */
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
