import { randomUUID } from 'node:crypto';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import { timestamp } from '#lib/platform/clock.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { getConversation, listConversations } from '#schemas/conversations.ts';
import type { Platform } from '#schemas/platforms.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';
import type { Account } from './accounts.ts';
import { type Answer, call, gatewayEvent, send } from './api.ts';
import { sandbox } from './mails.ts';
import { storeSocialAccount } from './social-accounts.ts';

/** A webhook call, as the network sends it. */
export type Signed = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Said = Parameters<ReturnType<typeof sandbox.network>['sendEvent']>[0];

/** What the network sends when a customer says something to an account. */
export async function signedEvent(
  { platform, platformUserId: userId }: SocialAccount,
  said: Partial<Said> = {},
): Promise<Signed & { readonly eventId: string }> {
  const { delivery, eventId } = await sandbox.network(platform).sendEvent({
    userId,
    type: 'comment',
    text: 'What does an engine cost?',
    from: { id: `customer-${randomUUID()}`, name: 'Charles Babbage' },
    ...said,
    deliveries: 0,
  });
  if (!delivery) {
    throw new Error(`${platform} sends nothing`);
  }

  return { ...delivery, eventId };
}

export function deliver(platform: Platform, { headers, body }: Signed): Promise<Answer> {
  return call(receiveNetworkEvents, {
    params: { platform: platform.toLowerCase() },
    headers,
    body,
  });
}

/** As the gateway hands over what it takes for binary. */
export function deliverEncoded(platform: Platform, { headers, body }: Signed): Promise<Answer> {
  const params = { platform: platform.toLowerCase() };
  const event = gatewayEvent(receiveNetworkEvents, { params, headers, body });

  return send(receiveNetworkEvents, {
    ...event,
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });
}

/** An account that is connected, and that the network knows the token of. */
export async function connectedAccount(
  organizationId: string,
  overrides: Partial<SocialAccount> = {},
): Promise<SocialAccount> {
  const platform = overrides.platform ?? 'FACEBOOK';
  const platformUserId = `1${randomUUID().replace(/\D/g, '')}`;
  const { accessToken } = await sandbox.network(platform).issueTokens({ userId: platformUserId });

  return storeSocialAccount(organizationId, {
    platform,
    platformUserId,
    accessToken,
    ...overrides,
  });
}

/** A comment on Facebook, as its adapter understands it. */
export function commentEvent(
  { platformUserId }: SocialAccount,
  overrides: Partial<NormalisedEvent> = {},
): NormalisedEvent {
  const id = randomUUID();

  return {
    eventId: id,
    platformUserId,
    type: 'comment',
    channel: 'COMMENT',
    from: { id: `customer-${id}`, name: 'Charles Babbage' },
    to: undefined,
    text: 'What does an engine cost?',
    messageId: id,
    isEcho: false,
    occurredAt: timestamp(),
    ...overrides,
  };
}

/** A private message, or what the account itself is said to have written to `customer`. */
export function messageEvent(
  account: SocialAccount,
  customer: string,
  overrides: Partial<NormalisedEvent> = {},
): NormalisedEvent {
  const isEcho = overrides.isEcho ?? false;
  const own = { id: account.platformUserId, name: '' };
  const other = { id: customer, name: '' };

  return commentEvent(account, {
    type: 'message',
    channel: 'DIRECT_MESSAGE',
    from: isEcho ? own : other,
    to: isEcho ? other : undefined,
    ...overrides,
  });
}

type Shown = Answer['body'];

/** All conversations of an account, each with its messages, newest first. */
export async function conversationsOf(
  { organizationId, token }: Account,
  { id: socialAccountId }: Pick<SocialAccount, 'id'>,
): Promise<readonly Shown[]> {
  const params = { organization_id: organizationId };
  const query = { socialAccountId, limit: '100' };
  const { conversations, pagination } = (await call(listConversations, { params, query, token }))
    .body;
  if (pagination.total !== conversations.length) {
    throw new Error(`${pagination.total} are counted, and ${conversations.length} listed`);
  }

  return Promise.all(
    conversations.map(async ({ id }: Pick<Conversation, 'id'>) => {
      const ofConversation = { ...params, conversation_id: id };

      return (await call(getConversation, { params: ofConversation, token })).body.conversation;
    }),
  );
}
