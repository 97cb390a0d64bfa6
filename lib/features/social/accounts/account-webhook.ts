import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { get } from '#lib/platform/db/read.ts';
import {
  discard,
  type ExtraWrites,
  ensure,
  put,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { findWebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { Platform } from '#schemas/platforms.ts';
import { type subscribeAccountWebhook, webhookTopics } from '#schemas/webhooks.ts';
import type { AccountWebhook } from './account-events.ts';
import { requireSocialAccount } from './accounts.ts';

/**
 * Looks up the subscription for requests from the network, which do not contain an organization.
 */
export type AccountWebhookClaim = {
  readonly organizationId: string;
  /** Hash of the token that the network's verification request must contain. */
  readonly verifyTokenHash: string;
  readonly platform: Platform;
  readonly platformUserId: string;
};

export type WebhookSubscription = BodyOf<typeof subscribeAccountWebhook>;

export type Subscribed = {
  readonly webhook: AccountWebhook;
  readonly verifyToken: string;
  readonly secret: string | undefined;
};

/**
 * Subscribes to an account's events. Replaces an existing subscription, whose secret stays valid
 * for up to a day.
 *
 * @returns the subscription, its verify token and its signing secret. Both are returned only once.
 */
export async function subscribeToAccount(
  organizationId: string,
  actorId: string,
  accountId: string,
  { webhookUrl, events, verifyToken: wantedToken }: WebhookSubscription,
  extraWrites: ExtraWrites<Subscribed>,
): Promise<Subscribed> {
  const [{ platform, platformUserId }, former] = await Promise.all([
    requireSocialAccount(organizationId, accountId),
    findWebhookEndpoint<AccountWebhook>(organizationId, accountId),
  ]);
  const made = await newWebhookEndpoint(organizationId, accountId, webhookUrl ?? undefined, former);
  const verifyToken = wantedToken ?? newOneTimeToken();
  const webhook: AccountWebhook = {
    ...made.endpoint,
    events: [...new Set(events ?? webhookTopics)],
    claimedAccountId: accountId,
  };
  const claim: AccountWebhookClaim = {
    organizationId,
    verifyTokenHash: hashToken(verifyToken),
    platform,
    platformUserId,
  };
  const subscribed = { webhook, verifyToken, secret: made.secret };
  await write(
    ...(await extraWrites(subscribed)),
    ensure(socialKeys.socialAccount(organizationId, accountId), {
      onConditionFailed: () => notFound('Social account'),
    }),
    put(webhookKeys.webhookEndpoint(organizationId, accountId), webhook),
    put(socialKeys.socialWebhookClaim(accountId), claim),
    ...planAudit(organizationId, {
      action: 'social_account.webhook_subscribed',
      actorId,
      targetId: accountId,
    }),
  );

  return subscribed;
}

/** Returns the owner and verify token hash of an account's subscription, if it has one. */
export function findAccountWebhookClaim(
  accountId: string,
): Promise<AccountWebhookClaim | undefined> {
  return get<AccountWebhookClaim>(socialKeys.socialWebhookClaim(accountId));
}

export function planAccountWebhookRemoval(
  organizationId: string,
  accountId: string,
): readonly Write[] {
  return [
    discard(webhookKeys.webhookEndpoint(organizationId, accountId)),
    discard(socialKeys.socialWebhookClaim(accountId)),
  ];
}
