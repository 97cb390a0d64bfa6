import { decrypt, type EncryptionContext, encrypt } from '#lib/crypto/encryption.ts';
import { keys, ranges } from '#lib/db/keys.ts';
import { get, query } from '#lib/db/read.ts';
import { notFound } from '#lib/errors/failures.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { Credentials } from './networks/network.ts';

/** A connected account, as it is stored. Its tokens are ciphertexts that open nowhere else. */
export type SocialAccount = {
  readonly id: string;
  readonly organizationId: string;
  readonly platform: Platform;
  readonly platformUserId: string;
  readonly platformUserName: string;
  readonly platformUserEmail?: string;
  readonly permissions: readonly string[];
  readonly isActive: boolean;
  /** Why it is not active, for the owners. */
  readonly inactiveReason?: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Raised by each new pair of tokens: a refresher that was overtaken is refused. */
  readonly tokenVersion: number;
  readonly tokenIssuedAt: string;
  /** Absent: the token does not end by itself. */
  readonly tokenExpiresAt?: string;
  /** Until then somebody is refreshing the token. */
  readonly refreshLeaseUntil?: string;
  readonly lastSyncAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Which tenant an event of a network's account belongs to. */
export type SocialAccountClaim = { readonly organizationId: string; readonly accountId: string };

export type TokenField = 'accessToken' | 'refreshToken';

function tokenContext(
  { organizationId, id }: Pick<SocialAccount, 'organizationId' | 'id'>,
  field: TokenField,
): EncryptionContext {
  return [organizationId, id, field];
}

export function sealToken(
  account: Pick<SocialAccount, 'organizationId' | 'id'>,
  field: TokenField,
  token: string,
): Promise<string> {
  return encrypt(token, tokenContext(account, field));
}

/** The token in clear; `undefined` where the account has none of that kind. */
export async function openToken(
  account: SocialAccount,
  field: TokenField,
): Promise<string | undefined> {
  const sealed = account[field];

  return sealed === undefined ? undefined : decrypt(sealed, tokenContext(account, field));
}

/** What the network is called with. The token may be about to end: see `withFreshToken`. */
export async function credentialsOf(account: SocialAccount): Promise<Credentials> {
  const accessToken = await decrypt(account.accessToken, tokenContext(account, 'accessToken'));

  return { platformUserId: account.platformUserId, accessToken };
}

/** @throws 404 for an account that the organization does not have. */
export async function requireSocialAccount(
  organizationId: string,
  accountId: string,
): Promise<SocialAccount> {
  const account = await get<SocialAccount>(keys.socialAccount(organizationId, accountId));
  if (!account) {
    throw notFound('Social account');
  }

  return account;
}

/** All accounts of the organization, newest first. */
export function listSocialAccounts(organizationId: string): Promise<readonly SocialAccount[]> {
  return query<SocialAccount>(ranges.socialAccounts(organizationId), { newestFirst: true });
}

/** The tenant that has connected a network's account, if any. */
export function findSocialAccountClaim(
  platform: Platform,
  platformUserId: string,
): Promise<SocialAccountClaim | undefined> {
  return get<SocialAccountClaim>(keys.socialAccountClaim(platform, platformUserId));
}
