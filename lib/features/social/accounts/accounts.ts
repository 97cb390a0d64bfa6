import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { dayMs, now, timestamp } from '#lib/platform/clock.ts';
import { contextOf, decrypt, encrypt } from '#lib/platform/crypto/encryption.ts';
import { isNotYet } from '#lib/platform/db/changes-something.ts';
import { type Key, keys, ranges } from '#lib/platform/db/keys.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { Platform } from '#schemas/platforms.ts';
import type * as contracts from '#schemas/social.ts';

export type LatestMetrics = {
  readonly posts?: number;
  readonly followers?: number;
  readonly engagement?: number;
  readonly lastPostAt?: string;
};

/** A token pair and its lifecycle, as stored. The tokens are encrypted for the item with this key. */
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
  /** Shown to the owners. */
  readonly inactiveReason?: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /**
   * Incremented with each new token pair. Concurrent refreshes with an older version are rejected.
   */
  readonly tokenVersion: number;
  readonly tokenIssuedAt: string;
  /** Absent if the token does not expire. */
  readonly tokenExpiresAt?: string;
  /** Absent if the token is the one that a person connected. */
  readonly lastRefreshAt?: string;
  /** Set if the last refresh failed. */
  readonly lastRefreshError?: string;
  /** Set while a refresh is in progress. */
  readonly refreshLeaseUntil?: string;
  /** A refresh was started, and the network's response was lost. */
  readonly isRefreshUncertain?: boolean;
  /** Set while the token can expire: when to check it next. */
  readonly duePk?: string;
  readonly dueAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A connected account. Its own token publishes posts and reads metrics. */
export type SocialAccount = TokenHolder & {
  readonly platformUserName: string;
  readonly platformUserEmail?: string;
  /** The person at the network who granted a page's token. */
  readonly grantedById?: string;
  /** The state of the account's messaging credential. Absent if it has none. */
  readonly messaging?: 'CONNECTED' | 'EXPIRED';
  /** The account's id in the app of its messaging credential. */
  readonly messagingUserId?: string;
  readonly figures?: LatestMetrics;
  /** When a subscription to the account's events last succeeded. */
  readonly subscribedAt?: string;
  /** The network's error message, if the latest attempt to subscribe failed. */
  readonly subscriptionFailure?: string;
  readonly lastSyncAt?: string;
  /** When the agent last reached the hourly limit of replies, reported at most once a day. */
  readonly repliesLimitedAt?: string;
};

/** The owners are notified once in this period, and the organization's health shows an alert. */
export const limitedReplyPeriodMs = dayMs;

/** Returns true if the agent has recently reached the account's hourly limit of replies. */
export function areRepliesLimited({ repliesLimitedAt }: SocialAccount): boolean {
  return (
    repliesLimitedAt !== undefined && Date.parse(repliesLimitedAt) >= now() - limitedReplyPeriodMs
  );
}

/** The tenant that owns the events of a network account. */
export type SocialAccountClaim = { readonly organizationId: string; readonly accountId: string };

/** The former id of a disconnected account, which it gets back when it is connected again. */
export type FormerAccount = Pick<SocialAccountClaim, 'accountId'> &
  Pick<SocialAccount, 'tokenVersion'>;

export const tokenFields = ['accessToken', 'refreshToken'] as const;
export type TokenField = (typeof tokenFields)[number];

type HolderId = Pick<TokenHolder, 'organizationId' | 'id' | 'purpose'>;

export function tokenHolderKey({ organizationId, id, purpose }: HolderId): Key {
  return purpose === 'messaging'
    ? keys.messagingCredential(organizationId, id)
    : keys.socialAccount(organizationId, id);
}

/** Encrypts a token for the item with this key. No other item's copy of it can be decrypted. */
export function sealToken(holder: Key, field: TokenField, token: string): Promise<string> {
  return encrypt(token, contextOf(holder, field));
}

/** Decrypts a token; `undefined` if the holder has none of that kind. */
export async function openToken(
  holder: TokenHolder,
  field: TokenField,
): Promise<string | undefined> {
  const sealed = holder[field];

  return sealed === undefined ? undefined : decrypt(sealed, contextOf(holder, field));
}

type SealedCredentials = Key & Pick<TokenHolder, 'platformUserId' | 'accessToken'>;

/** Returns the network credentials. The token may be about to expire: see `freshCredentials`. */
export async function credentialsOf(holder: SealedCredentials): Promise<Credentials> {
  const accessToken = await decrypt(holder.accessToken, contextOf(holder, 'accessToken'));

  return { platformUserId: holder.platformUserId, accessToken };
}

export function findSocialAccount(
  organizationId: string,
  accountId: string,
): Promise<SocialAccount | undefined> {
  return get<SocialAccount>(keys.socialAccount(organizationId, accountId));
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
}: Pick<SocialAccount, 'organizationId' | 'id'>): Promise<TokenHolder | undefined> {
  return get<TokenHolder>(keys.messagingCredential(organizationId, id));
}

export function socialAccountNotFound() {
  return notFound('Social account');
}

/** @throws 404 if the organization does not have the account. */
export async function requireSocialAccount(
  organizationId: string,
  accountId: string,
): Promise<SocialAccount> {
  return requireFound(await findSocialAccount(organizationId, accountId), 'Social account');
}

/** Thrown if the account is disconnected or its organization is deleted. */
export class AccountMissingError extends Error {
  constructor() {
    super('The social account has been disconnected');
    this.name = 'AccountMissingError';
  }
}

/**
 * Returns an account for background work, which outlives accounts and organizations.
 *
 * @throws AccountMissingError
 */
export async function readConnectedAccount(
  organizationId: string,
  accountId: string,
): Promise<SocialAccount> {
  const [account, organization] = await getMany<SocialAccount & { readonly deletedAt?: string }>([
    keys.socialAccount(organizationId, accountId),
    keys.organization(organizationId),
  ]);
  if (!account || !organization || organization.deletedAt) {
    throw new AccountMissingError();
  }

  return account;
}

/** Returns all accounts of the organization, newest first. */
export function listSocialAccounts(organizationId: string): Promise<readonly SocialAccount[]> {
  return query<SocialAccount>(ranges.socialAccounts(organizationId), { newestFirst: true });
}

/** Returns the tenant that has connected a network account, if any. */
export function findSocialAccountClaim(
  platform: Platform,
  platformUserId: string,
): Promise<SocialAccountClaim | undefined> {
  return get<SocialAccountClaim>(keys.socialAccountClaim(platform, platformUserId));
}

/**
 * Returns, in one round trip, the tenant that has connected a network account and the account's
 * former id in this organization, if any.
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

export type SocialAccountPatch = Omit<
  BodyOf<typeof contracts.updateSocialAccount>,
  'businessToken'
>;

/**
 * Changes only the given fields. A no-op update is not written.
 *
 * @throws 404 if the organization does not have the account.
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
      ...planAudit(organizationId, {
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

/** Formats the metrics for `includeStats`. Unknown metrics are 0. */
export function presentLatestMetrics({ figures = {} }: SocialAccount) {
  return {
    totalPosts: figures.posts ?? 0,
    totalFollowers: figures.followers ?? 0,
    totalEngagement: figures.engagement ?? 0,
    lastPostDate: figures.lastPostAt,
  };
}
