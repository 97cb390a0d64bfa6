import type { TokenHolder } from '#lib/features/social/accounts/token-holder.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { dayMs, now, timestamp } from '#lib/platform/clock.ts';
import { isNotYet } from '#lib/platform/db/changes-something.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { Platform } from '#schemas/platforms.ts';
import type * as contracts from '#schemas/social.ts';

export type LatestMetrics = {
  readonly posts?: number;
  readonly followers?: number;
  readonly engagement?: number;
  readonly lastPostAt?: string;
};

/** A connected account. Its own token publishes posts and reads metrics. */
export type SocialAccount = TokenHolder & {
  readonly platformUserName: string;
  readonly platformUserEmail?: string;
  /** The person at the network who granted a page's token. */
  readonly grantedById?: string;
  /** The state of the account's messaging credential. Absent if it has none. */
  readonly messaging?: 'CONNECTED' | 'EXPIRED';
  /** The account's id in the app that issued its messaging credential. */
  readonly messagingUserId?: string;
  readonly figures?: LatestMetrics;
  /** The time of the last successful subscription to the account's events. */
  readonly subscribedAt?: string;
  /** The network's error message, if the latest attempt to subscribe failed. */
  readonly subscriptionFailure?: string;
  readonly lastSyncAt?: string;
  /**
   * The last time when the agent reached the hourly limit of replies, recorded at most once a day.
   */
  readonly repliesLimitedAt?: string;
};

/**
 * The owners are notified once in this period, and the organization's health shows an alert during
 * it.
 */
export const limitedReplyPeriodMs = dayMs;

/** Returns true if the agent has recently reached the account's hourly limit of replies. */
export function areRepliesLimited({ repliesLimitedAt }: SocialAccount): boolean {
  return (
    repliesLimitedAt !== undefined && Date.parse(repliesLimitedAt) >= now() - limitedReplyPeriodMs
  );
}

/** The organization that owns the events of a network account. */
export type SocialAccountClaim = { readonly organizationId: string; readonly accountId: string };

/** The former id of a disconnected account. It gets this id back when it is connected again. */
export type FormerAccount = Pick<SocialAccountClaim, 'accountId'> &
  Pick<SocialAccount, 'tokenVersion'>;

export function findSocialAccount(
  organizationId: string,
  accountId: string,
): Promise<SocialAccount | undefined> {
  return get<SocialAccount>(socialKeys.socialAccount(organizationId, accountId));
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
 * Returns an account for background work, which may outlive accounts and organizations.
 *
 * @throws AccountMissingError
 */
export async function readConnectedAccount(
  organizationId: string,
  accountId: string,
): Promise<SocialAccount> {
  const [account, organization] = await getMany<SocialAccount & { readonly deletedAt?: string }>([
    socialKeys.socialAccount(organizationId, accountId),
    organizationKeys.organization(organizationId),
  ]);
  if (!account || !organization || organization.deletedAt) {
    throw new AccountMissingError();
  }

  return account;
}

/** Returns all accounts of the organization, newest first. */
export function listSocialAccounts(organizationId: string): Promise<readonly SocialAccount[]> {
  return query<SocialAccount>(socialRanges.socialAccounts(organizationId), { newestFirst: true });
}

/** Returns the organization that has connected a network account, if any. */
export function findSocialAccountClaim(
  platform: Platform,
  platformUserId: string,
): Promise<SocialAccountClaim | undefined> {
  return get<SocialAccountClaim>(socialKeys.socialAccountClaim(platform, platformUserId));
}

/**
 * Returns, in one round trip, the organization that has connected a network account, and the
 * account's former id in this organization, if any.
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
    socialKeys.socialAccountClaim(platform, platformUserId),
    socialKeys.formerSocialAccount(organizationId, platform, platformUserId),
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
      change(socialKeys.socialAccount(organizationId, accountId), {
        set: { ...changes, updatedAt: timestamp() },
        when: isNotYet(changes),
      }),
      ...planAudit(organizationId, {
        action: 'social_account.updated',
        actorId,
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
