import { auditWrites } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { decrypt, type EncryptionContext, encrypt } from '#lib/platform/crypto/encryption.ts';
import { isNotYet } from '#lib/platform/db/changes-something.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import type { Platform } from '#schemas/platforms.ts';

/** The latest figures of an account, as its last snapshot has them. */
export type LatestFigures = {
  readonly posts?: number;
  readonly followers?: number;
  readonly engagement?: number;
  readonly lastPostAt?: string;
};

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
  /** A refresh was begun, and nobody heard what the network answered. */
  readonly isRefreshUncertain?: boolean;
  /** In the due-work index while the token can end: when to look at it next. */
  readonly duePk?: string;
  readonly dueAt?: string;
  readonly figures?: LatestFigures;
  /** When the network was last heard to send the account's events to this service. */
  readonly subscribedAt?: string;
  /** Why it may not be sending them, in its own words: the latest try to subscribe has failed. */
  readonly subscriptionFailure?: string;
  readonly lastSyncAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Which tenant an event of a network's account belongs to. */
export type SocialAccountClaim = { readonly organizationId: string; readonly accountId: string };

/** Whoever connects the same account of a network again gets it back as the one that it was. */
export type FormerAccount = Pick<SocialAccountClaim, 'accountId'> &
  Pick<SocialAccount, 'tokenVersion'>;

export const tokenFields = ['accessToken', 'refreshToken'] as const;
export type TokenField = (typeof tokenFields)[number];

/** What a token is sealed for: it opens in no other place. */
export function tokenContext(
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

/** What the network is called with. The token may be about to end: see `freshCredentials`. */
export async function credentialsOf(account: SocialAccount): Promise<Credentials> {
  const accessToken = await decrypt(account.accessToken, tokenContext(account, 'accessToken'));

  return { platformUserId: account.platformUserId, accessToken };
}

export function findSocialAccount(
  organizationId: string,
  accountId: string,
): Promise<SocialAccount | undefined> {
  return get<SocialAccount>(keys.socialAccount(organizationId, accountId));
}

export function socialAccountNotFound() {
  return notFound('Social account');
}

/** @throws 404 for an account that the organization does not have. */
export async function requireSocialAccount(
  organizationId: string,
  accountId: string,
): Promise<SocialAccount> {
  const account = await findSocialAccount(organizationId, accountId);
  if (!account) {
    throw socialAccountNotFound();
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

/**
 * The tenant that has connected a network's account, if any, and which account it was in the
 * organization if that has had it before, in one round trip.
 */
export async function findClaimAndFormer(
  organizationId: string,
  platform: Platform,
  platformUserId: string,
): Promise<{
  readonly claim: SocialAccountClaim | undefined;
  readonly former: FormerAccount | undefined;
}> {
  const [claim, former] = await getMany<SocialAccountClaim | FormerAccount>([
    keys.socialAccountClaim(platform, platformUserId),
    keys.formerSocialAccount(organizationId, platform, platformUserId),
  ]);

  return {
    claim: claim as SocialAccountClaim | undefined,
    former: former as FormerAccount | undefined,
  };
}

export type SocialAccountPatch = {
  readonly platformUserName?: string | undefined;
  readonly permissions?: readonly string[] | null | undefined;
};

/**
 * Changes only what is given. What is so already changes nothing.
 *
 * @throws 404 for an account that the organization does not have.
 */
export async function updateSocialAccount(
  organizationId: string,
  actorId: string,
  accountId: string,
  { platformUserName, permissions }: SocialAccountPatch,
): Promise<SocialAccount> {
  const changes = { platformUserName, permissions: permissions === null ? [] : permissions };
  const changed = Object.entries(changes).flatMap(([name, value]) => (value ? [name] : []));
  if (changed.length > 0) {
    await writeIfMet(
      change(keys.socialAccount(organizationId, accountId), {
        set: { ...changes, updatedAt: timestamp() },
        when: isNotYet(changes),
      }),
      ...auditWrites(organizationId, {
        action: 'social_account.updated',
        actorId,
        targetType: 'social_account',
        targetId: accountId,
        details: { fields: changed },
      }),
    );
  }

  return requireSocialAccount(organizationId, accountId);
}

/** How an account is shown. No token is among it, sealed or not. */
export function presentSocialAccount(account: SocialAccount) {
  return {
    id: account.id,
    organizationId: account.organizationId,
    platform: account.platform,
    platformUserId: account.platformUserId,
    platformUserName: account.platformUserName,
    platformUserEmail: account.platformUserEmail ?? null,
    permissions: [...account.permissions],
    isActive: account.isActive,
    inactiveReason: account.inactiveReason ?? null,
    subscribedAt: account.subscribedAt ?? null,
    subscriptionFailure: account.subscriptionFailure ?? null,
    tokenExpiresAt: account.tokenExpiresAt ?? null,
    lastSyncAt: account.lastSyncAt ?? null,
    createdAt: account.createdAt,
    updatedAt: account.updatedAt,
  };
}

/** As `includeStats` shows them; what the network does not tell, or is not known yet, is 0. */
export function presentLatestFigures({ figures = {} }: SocialAccount) {
  return {
    totalPosts: figures.posts ?? 0,
    totalFollowers: figures.followers ?? 0,
    totalEngagement: figures.engagement ?? 0,
    lastPostDate: figures.lastPostAt ?? null,
  };
}
