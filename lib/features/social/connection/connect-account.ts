import { planOrganizationExists } from '#lib/features/organizations/organizations.ts';
import { planAccountStateEvent } from '#lib/features/social/accounts/account-events.ts';
import {
  type FormerAccount,
  findClaimAndFormer,
  findSocialAccount,
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { planGrant } from '#lib/features/social/accounts/granted-accounts.ts';
import { expiryOf, sealToken, tokenDue } from '#lib/features/social/accounts/token-holder.ts';
import { planImports } from '#lib/features/social/metrics/import-schedule.ts';
import { planSnapshots } from '#lib/features/social/metrics/snapshot-schedule.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  applied,
  change,
  create,
  type ExtraWrites,
  ensure,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { apiError, badRequest } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { tokenFamilies } from '#lib/vendors/networks/capabilities.ts';
import type { TokenFacts } from '#lib/vendors/networks/network.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import { accountTokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { connectSocialAccount } from '#schemas/social.ts';
import { planCommentsPoll } from './comments-poll.ts';
import {
  type CheckedBusinessToken,
  checkBusinessToken,
  hasSameCredential,
  messagingFields,
  planMessagingCredential,
} from './messaging-credential.ts';
import { planSubscription, subscribeNow } from './webhook-subscription.ts';

export type NewSocialAccount = BodyOf<typeof connectSocialAccount>;

/** The person who connects an account: a user, or somebody who opened a connect link. */
export type Connector = { readonly userId: string } | { readonly connectLinkId: string };

function alreadyConnected() {
  return apiError('SOCIAL_ACCOUNT_CONNECTED', 'Social account already connected');
}

/**
 * Connects a network account and subscribes it to events. An account can be connected only once in
 * the whole service. Reconnecting an inactive account of the same organization replaces its tokens
 * and keeps its id. If the organization had the account before, the account gets its old id back,
 * so references to it work again.
 *
 * @throws 401 if the network rejects the token, 400 if the token belongs to another account, 409 if
 * the account is connected, 502 if the network is unavailable.
 */
export async function connectAccount(
  organizationId: string,
  connector: Connector,
  details: NewSocialAccount,
  extraWrites: ExtraWrites<SocialAccount>,
): Promise<SocialAccount> {
  const { platform, platformUserId, businessToken } = details;
  const [facts, { claim, former }, messaging] = await Promise.all([
    checkToken(details),
    findClaimAndFormer(organizationId, platform, platformUserId),
    businessToken ? checkBusinessToken(platform, platformUserId, businessToken) : undefined,
  ]);
  if (!claim) {
    return connectNew(organizationId, {
      connector,
      details,
      facts,
      messaging,
      former,
      extraWrites,
    });
  }
  const known =
    claim.organizationId === organizationId
      ? await findSocialAccount(organizationId, claim.accountId)
      : undefined;
  if (!known || known.isActive) {
    throw alreadyConnected();
  }

  return reconnect(known, { connector, details, facts, messaging, extraWrites });
}

/**
 * Replaces an account's tokens with new ones for the same network account, whether or not it is
 * active. The account keeps its id and all references.
 *
 * @throws 404 if the organization does not have the account, 401 if the network rejects the token,
 * 502 if the network is unavailable.
 */
export async function renewAccount(
  organizationId: string,
  connector: Connector,
  accountId: string,
  details: NewSocialAccount,
  extraWrites: ExtraWrites<SocialAccount>,
): Promise<SocialAccount> {
  const facts = await checkToken(details);

  return retryWhenOvertaken('social account', async () => {
    const known = await requireSocialAccount(organizationId, accountId);
    const connection = { connector, details, facts, messaging: undefined, extraWrites };

    return reconnect(known, { ...connection, isRenewal: true });
  });
}

/** @throws 401 if the network rejects the token, 400 if it belongs to another account. */
async function checkToken(details: NewSocialAccount): Promise<TokenFacts> {
  const { platform, platformUserId, accessToken } = details;
  const facts = await asAnswer(
    accountTokensOf(platform).validateToken({ platformUserId, accessToken }),
  );
  if (!facts.platformUserIds.includes(platformUserId)) {
    throw badRequest('platformUserId must match an account that the access token grants access to');
  }

  return facts;
}

/** Encrypts the tokens for the account, and determines when their next refresh is due. */
async function tokenFields(
  account: Key,
  { accessToken, refreshToken, expiresIn }: NewSocialAccount,
  { expiresAt }: TokenFacts,
) {
  const sealed = {
    accessToken: await sealToken(account, 'accessToken', accessToken),
    refreshToken: refreshToken ? await sealToken(account, 'refreshToken', refreshToken) : undefined,
  };
  const tokenIssuedAt = timestamp();
  // The network's expiry takes precedence over the caller's.
  const tokenExpiresAt = expiresAt ?? expiryOf(expiresIn);

  return { ...sealed, tokenIssuedAt, tokenExpiresAt };
}

type Connection = {
  readonly connector: Connector;
  readonly details: NewSocialAccount;
  readonly facts: TokenFacts;
  readonly messaging: CheckedBusinessToken | undefined;
  readonly extraWrites: ExtraWrites<SocialAccount>;
};

/** The work that a new account starts, in the order of the writes. */
const startsOfNewAccount: ReadonlyArray<(account: SocialAccount) => readonly Write[]> = [
  (account) => [planSubscription(account, { leaveToSweep: true })],
  planSnapshots,
  planImports,
  planCommentsPoll,
];

async function connectNew(
  organizationId: string,
  {
    connector,
    details,
    facts,
    messaging,
    former,
    extraWrites,
  }: Connection & { readonly former: FormerAccount | undefined },
): Promise<SocialAccount> {
  const { platform, platformUserId, platformUserName, platformUserEmail } = details;
  const id = former?.accountId ?? newId();
  const now = timestamp();
  const key = socialKeys.socialAccount(organizationId, id);
  const tokens = await tokenFields(key, details, facts);
  const account = {
    ...key,
    id,
    organizationId,
    platform,
    platformUserId,
    platformUserName,
    platformUserEmail: platformUserEmail ?? undefined,
    grantedById: facts.grantedById,
    permissions: details.permissions ?? facts.scopes ?? [],
    isActive: true,
    ...tokens,
    ...tokenDue({ platform, ...tokens }),
    ...(messaging ? messagingFields(messaging) : {}),
    tokenVersion: (former?.tokenVersion ?? 0) + 1,
    createdAt: now,
    updatedAt: now,
  } as SocialAccount;
  const event = await planAccountStateEvent('account.connected', account);
  await write(
    ...(await extraWrites(account)),
    create(
      socialKeys.socialAccountClaim(platform, platformUserId),
      { organizationId, accountId: id },
      alreadyConnected,
    ),
    planOrganizationExists(organizationId),
    create(key, account),
    ...planGrant(undefined, account),
    ...(messaging
      ? await planMessagingCredential({ organizationId, id, platform }, messaging)
      : []),
    ...startsOfNewAccount.flatMap((plan) => plan(account)),
    ...planConnectionAudit(account, connector, 'social_account.connected'),
    ...event,
  );
  await subscribeNow(account);

  return account;
}

/** Keeps the old refresh token if the network issues it only once. */
async function reconnect(
  known: SocialAccount,
  {
    connector,
    details,
    facts,
    messaging,
    extraWrites,
    isRenewal = false,
  }: Connection & { readonly isRenewal?: boolean },
): Promise<SocialAccount> {
  const { organizationId, id, platform, platformUserId } = known;
  const { platformUserName, platformUserEmail, permissions } = details;
  const given = await tokenFields(known, details, facts);
  const keepsOld = tokenFamilies[platform] === 'STATIC_REFRESH';
  const refreshToken = given.refreshToken ?? (keepsOld ? known.refreshToken : undefined);
  const tokens = { ...given, refreshToken };
  const set = {
    platformUserName,
    platformUserEmail: platformUserEmail ?? undefined,
    grantedById: facts.grantedById,
    permissions: permissions ?? facts.scopes,
    isActive: true,
    inactiveReason: null,
    ...tokens,
    refreshToken: refreshToken ?? null,
    tokenExpiresAt: tokens.tokenExpiresAt ?? null,
    ...tokenDue({ platform, ...tokens }),
    ...(messaging ? messagingFields(messaging) : {}),
    tokenVersion: known.tokenVersion + 1,
    refreshLeaseUntil: null,
    isRefreshUncertain: null,
    lastRefreshAt: null,
    lastRefreshError: null,
    updatedAt: timestamp(),
  };
  const renewed = applied(known, set);
  const event = known.isActive ? [] : await planAccountStateEvent('account.connected', renewed);
  const isAsRead = allOf(
    equals('tokenVersion', known.tokenVersion),
    equals('isActive', known.isActive),
    hasSameCredential(known),
  );
  await write(
    ...(await extraWrites(renewed)),
    change(socialKeys.socialAccount(organizationId, id), {
      set,
      when: isAsRead,
      ...(isRenewal ? {} : { onConditionFailed: alreadyConnected }),
    }),
    ensure(socialKeys.socialAccountClaim(platform, platformUserId), {
      when: equals('accountId', id),
      onConditionFailed: alreadyConnected,
    }),
    ...planGrant(known, renewed),
    ...(messaging ? await planMessagingCredential(known, messaging) : []),
    planSubscription(known, { leaveToSweep: true }),
    ...planConnectionAudit(known, connector, 'social_account.reconnected'),
    ...event,
  );
  await subscribeNow(renewed);

  return renewed;
}

function planConnectionAudit(
  { organizationId, id, platform, platformUserId }: SocialAccount,
  connector: Connector,
  action: 'social_account.connected' | 'social_account.reconnected',
) {
  const isUser = 'userId' in connector;

  return planAudit(organizationId, {
    action,
    actorId: isUser ? connector.userId : null,
    targetId: id,
    details: {
      platform,
      platformUserId,
      ...(isUser ? {} : { connectLinkId: connector.connectLinkId }),
    },
  });
}
