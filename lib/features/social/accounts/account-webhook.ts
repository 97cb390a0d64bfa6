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
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planEvent } from '#lib/platform/webhooks/events.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type { Platform } from '#schemas/platforms.ts';
import {
  type subscribeAccountWebhook,
  type WebhookTopic,
  webhookTopics,
} from '#schemas/webhooks.ts';
import { requireSocialAccount, type SocialAccount } from './accounts.ts';

export type AccountWebhook = WebhookEndpoint & {
  /** Topics of events that are forwarded to `url`. */
  readonly events: readonly WebhookTopic[];
  /** The same as `sourceId`. With this attribute, removing an organization finds the claim. */
  readonly claimedAccountId: string;
};

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
      targetType: 'social_account',
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

type EventData = Readonly<Record<string, unknown>>;

export type AccountEvent =
  | {
      readonly type: 'message.received';
      /** Sent only if the subscription's `events` include this topic. */
      readonly topic: WebhookTopic;
      readonly data: EventData & { readonly channel: string };
    }
  | { readonly type: 'message.sent'; readonly data: EventData & { readonly channel: string } }
  | {
      readonly type: 'content.published' | 'content.failed' | 'account.disconnected';
      readonly data: EventData;
    };

/**
 * Plans an event of an account for its receiver and for the organization's webhooks. Include it in
 * the transaction of the change. The account's id and platform are added to `data`. For
 * `account.disconnected`, the account may be removed in the same transaction.
 */
export async function planAccountEvent(
  { organizationId, id, platform }: Pick<SocialAccount, 'organizationId' | 'id' | 'platform'>,
  event: AccountEvent,
): Promise<readonly Write[]> {
  const data = { socialAccountId: id, platform, ...event.data };
  const [webhook, ofOrganization] = await Promise.all([
    findWebhookEndpoint<AccountWebhook>(organizationId, id),
    planOrganizationEvent(organizationId, { type: event.type, data }),
  ]);
  if (!webhook || (event.type === 'message.received' && !webhook.events.includes(event.topic))) {
    return ofOrganization;
  }
  const isLast = event.type === 'account.disconnected';

  return [...planEvent(webhook, { type: event.type, data, isLast }), ...ofOrganization];
}
