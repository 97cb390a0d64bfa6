import { randomUUID } from 'node:crypto';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { getConversation, listConversations } from '#schemas/conversations.ts';
import type { Platform } from '#schemas/platforms.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';
import type { Signed } from '#scripts/fixtures/network-events.ts';
import type { Account } from './accounts.ts';
import { type Answer, call, gatewayEvent, send } from './api.ts';
import { sandbox } from './mails.ts';

/** Returns the network's webhook request for a tap on a button of a sent message. */
export async function signedTap(
  { platform, platformUserId: userId }: SocialAccount,
  tap: Pick<
    Parameters<ReturnType<typeof sandbox.network>['tap']>[0],
    'from' | 'replyId' | 'label' | 'payload'
  >,
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

/** Delivers a request base64-encoded, like the gateway with binary bodies. */
export function deliverEncoded(platform: Platform, { headers, body }: Signed): Promise<Answer> {
  const params = { platform: platform.toLowerCase() };
  const event = gatewayEvent(receiveNetworkEvents, { params, headers, body });

  return send(receiveNetworkEvents, {
    ...event,
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });
}

/** Returns a Facebook comment event in the format of its adapter. */
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
