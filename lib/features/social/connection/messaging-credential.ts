import {
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import {
  expiryOf,
  sealToken,
  type TokenHolder,
  tokenDue,
} from '#lib/features/social/accounts/token-holder.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { now, timestamp } from '#lib/platform/clock.ts';
import { absent, equals } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  applied,
  change,
  create,
  discard,
  type ExtraWrites,
  ensure,
  noExtraWrites,
  put,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { apiError, badRequest } from '#lib/platform/errors/failures.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { TokenFacts } from '#lib/vendors/networks/network.ts';
import { asAnswer } from '#lib/vendors/networks/network-error.ts';
import { tokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { connectSocialAccount } from '#schemas/social.ts';
import { planSubscription, subscribeNow } from './webhook-subscription.ts';

export type BusinessToken = NonNullable<BodyOf<typeof connectSocialAccount>['businessToken']>;

/** A token that its network has confirmed. */
export type CheckedBusinessToken = { readonly given: BusinessToken; readonly facts: TokenFacts };

/** Returns the reason why a token for messages and comments does not match the account. */
export function businessTokenProblems({
  platform,
  platformUserId,
  businessToken,
}: {
  readonly platform?: Platform | undefined;
  readonly platformUserId?: string | undefined;
  readonly businessToken?: BusinessToken | null | undefined;
}): readonly string[] {
  if (!businessToken) {
    return [];
  }
  if (platform && !capabilities[platform].needsBusinessToken) {
    return [`businessToken is not supported for ${platform}`];
  }

  return businessToken.openId === platformUserId
    ? ['businessToken.openId must differ from platformUserId']
    : [];
}

/**
 * Validates a token for messages and comments with the network.
 *
 * @throws 400 if the network has no such tokens or the token belongs to another account, 401 if the
 * network rejects it, 502 if the network is unavailable.
 */
export async function checkBusinessToken(
  platform: Platform,
  platformUserId: string,
  given: BusinessToken,
): Promise<CheckedBusinessToken> {
  const { openId, accessToken } = given;
  const tokens = tokensOf({ platform, purpose: 'messaging' });
  const facts = await asAnswer(tokens.validateToken({ platformUserId: openId, accessToken }));
  if (!facts.platformUserIds.includes(openId)) {
    throw badRequest('businessToken.openId must match the account of the business access token');
  }
  if (openId === platformUserId) {
    throw badRequest('businessToken.openId must differ from platformUserId');
  }

  return { given, facts };
}

type Owner = Pick<SocialAccount, 'organizationId' | 'id' | 'platform' | 'messagingUserId'>;

/** The account's attributes about its credential. */
export type MessagingFields = Required<Pick<SocialAccount, 'messaging' | 'messagingUserId'>>;

export function messagingFields({ given }: CheckedBusinessToken): MessagingFields {
  return { messaging: 'CONNECTED', messagingUserId: given.openId };
}

/**
 * Plans the credential and the claim of its id, which maps events to the account. Replaces a former
 * credential. The caller sets `messagingFields` on the account in the same transaction.
 */
export async function planMessagingCredential(
  owner: Owner,
  { given, facts }: CheckedBusinessToken,
): Promise<readonly Write[]> {
  const { organizationId, id, platform, messagingUserId: formerId } = owner;
  const key = socialKeys.messagingCredential(organizationId, id);
  const holder = { ...key, id, organizationId, platform, purpose: 'messaging' } as const;
  const [accessToken, refreshToken] = await Promise.all([
    sealToken(holder, 'accessToken', given.accessToken),
    sealToken(holder, 'refreshToken', given.refreshToken),
  ]);
  const issuedAt = timestamp();
  const life = {
    refreshToken,
    tokenIssuedAt: issuedAt,
    tokenExpiresAt: facts.expiresAt ?? expiryOf(given.expiresIn),
  };
  const credential = {
    ...holder,
    ...life,
    ...tokenDue({ ...holder, ...life }),
    platformUserId: given.openId,
    permissions: facts.scopes ?? [],
    isActive: true,
    accessToken,
    // Unique, so that refreshing a replaced credential cannot overwrite this one.
    tokenVersion: now(),
    createdAt: issuedAt,
    updatedAt: issuedAt,
  } as TokenHolder;

  return [put(key, credential), ...planClaims(owner, given.openId, formerId)];
}

function planClaims(
  { organizationId, id: accountId, platform }: Owner,
  openId: string,
  formerId: string | undefined,
): readonly Write[] {
  const key = socialKeys.socialAccountClaim(platform, openId);
  if (formerId === openId) {
    return [ensure(key, { when: equals('accountId', accountId) })];
  }
  const taken = () => apiError('SOCIAL_ACCOUNT_CONNECTED', 'Social account already connected');

  return [
    create(key, { organizationId, accountId }, taken),
    ...(formerId === undefined ? [] : [discard(socialKeys.socialAccountClaim(platform, formerId))]),
  ];
}

/** Removes the credential and its claim, in the transaction that removes the account. */
export function planMessagingCredentialRemoval({
  organizationId,
  id,
  platform,
  messagingUserId,
}: Owner): readonly Write[] {
  return messagingUserId === undefined
    ? []
    : [
        discard(socialKeys.messagingCredential(organizationId, id)),
        discard(socialKeys.socialAccountClaim(platform, messagingUserId)),
      ];
}

/** True if the account still has the same credential as when it was read. */
export function hasSameCredential({ messagingUserId }: Pick<SocialAccount, 'messagingUserId'>) {
  return messagingUserId === undefined
    ? absent('messagingUserId')
    : equals('messagingUserId', messagingUserId);
}

/**
 * Adds or replaces an account's credential for messages and comments, and subscribes to its events.
 *
 * @throws 404, 400 and 401 for the token, 409 if another account uses its id.
 */
export async function connectMessaging(
  organizationId: string,
  actorId: string,
  accountId: string,
  businessToken: BusinessToken,
  extraWrites: ExtraWrites<SocialAccount> = noExtraWrites,
): Promise<SocialAccount> {
  const { platform, platformUserId } = await requireSocialAccount(organizationId, accountId);
  const checked = await checkBusinessToken(platform, platformUserId, businessToken);

  return retryWhenOvertaken('social account', async () => {
    const account = await requireSocialAccount(organizationId, accountId);
    const set = { ...messagingFields(checked), updatedAt: timestamp() };
    const connected = applied(account, set);
    await write(
      ...(await extraWrites(connected)),
      change(socialKeys.socialAccount(organizationId, accountId), {
        set,
        when: hasSameCredential(account),
      }),
      ...(await planMessagingCredential(account, checked)),
      planSubscription(account, { leaveToSweep: true }),
      ...planAudit(organizationId, {
        action: 'social_account.messaging_connected',
        actorId,
        targetId: accountId,
        details: { platform, openId: businessToken.openId },
      }),
    );
    await subscribeNow(connected);

    return connected;
  });
}
