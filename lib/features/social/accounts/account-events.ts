import type { Write } from '#lib/platform/db/write.ts';
import { planEvent } from '#lib/platform/webhooks/deliveries.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import type { WebhookTopic } from '#schemas/webhooks.ts';
import type { SocialAccount } from './accounts.ts';
import { presentAccount } from './messaging-state.ts';

export type AccountWebhook = WebhookEndpoint & {
  /** Topics of events that are forwarded to `url`. */
  readonly events: readonly WebhookTopic[];
  /** The same as `sourceId`. With this attribute, removing an organization finds the claim. */
  readonly claimedAccountId: string;
};

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

/** Plans an event about access to an account, without its tokens. */
export function planAccountStateEvent(
  type: 'account.connected' | 'account.inactive',
  account: SocialAccount,
): Promise<readonly Write[]> {
  const { accessToken: _, refreshToken: __, ...socialAccount } = presentAccount(account);

  return planOrganizationEvent(account.organizationId, {
    type,
    data: { socialAccountId: account.id, socialAccount },
  });
}
