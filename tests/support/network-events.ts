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
import { storeBusinessToken, storeSocialAccount } from './social-accounts.ts';

/** A webhook request as the network sends it. */
export type Signed = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Said = Parameters<ReturnType<typeof sandbox.network>['sendEvent']>[0];

/** Returns the network's webhook request for a customer's message or comment. */
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

/** Returns the network's webhook request for a tap on a button of a sent message. */
export async function signedTap(
  { platform, platformUserId: userId }: SocialAccount,
  tap: Pick<Parameters<ReturnType<typeof sandbox.network>['tap']>[0], 'from' | 'replyId' | 'label'>,
): Promise<Signed> {
  const { delivery } = await sandbox.network(platform).tap({ userId, ...tap, deliveries: 0 });
  if (!delivery) {
    throw new Error(`${platform} sends nothing`);
  }

  return delivery;
}

export function deliver(platform: Platform, { headers, body }: Signed): Promise<Answer> {
  return call(receiveNetworkEvents, {
    params: { platform: platform.toLowerCase() },
    headers,
    body,
  });
}

/** Delivers a request base64-encoded, as the gateway passes binary bodies. */
export function deliverEncoded(platform: Platform, { headers, body }: Signed): Promise<Answer> {
  const params = { platform: platform.toLowerCase() };
  const event = gatewayEvent(receiveNetworkEvents, { params, headers, body });

  return send(receiveNetworkEvents, {
    ...event,
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });
}

/** Creates a connected account whose token the network knows. */
export async function connectedAccount(
  organizationId: string,
  overrides: Partial<SocialAccount> = {},
): Promise<SocialAccount> {
  const platform = overrides.platform ?? 'FACEBOOK';
  const platformUserId = `1${randomUUID().replace(/\D/g, '')}`;
  const { accessToken } = await sandbox.network(platform).issueTokens({ userId: platformUserId });

  const account = await storeSocialAccount(organizationId, {
    platform,
    platformUserId,
    accessToken,
    ...overrides,
  });

  return platform === 'TIKTOK' ? storeBusinessToken(account) : account;
}

/** Returns a Facebook comment event as its adapter parses it. */
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

/** Returns a private message event, or an echo of the account's own message to `customer`. */
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

/** Returns all conversations of an account with their messages, newest first. */
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
