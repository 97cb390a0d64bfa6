import { expect } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { takeEvents } from '#lib/features/social/intake/receive-events.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { replyToConversation } from '#schemas/conversations.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import {
  connectedAccount,
  conversationsOf,
  deliver,
  signedEvent,
} from '#tests/support/network-events.ts';
import { drainWork } from '#tests/support/work.ts';

export type Said = Parameters<typeof signedEvent>[1];

export function sentBy({ platform, platformUserId }: SocialAccount) {
  return sandbox.network(platform).replies(platformUserId);
}

/** Delivers events from the network and processes them. */
export async function deliverEvents(
  { platform }: SocialAccount,
  ...events: readonly NormalisedEvent[]
) {
  await takeEvents(platform, events);
  await drainWork('inbound-events');
}

export const takenOver = { controller: 'HUMAN', status: 'PAUSED', stopReason: 'HUMAN_TAKEOVER' };

export type PersonReplyWorld = Awaited<ReturnType<typeof personReplyWorld>>;

/** Creates an organization whose customers write to its accounts, and a DynamoDB proxy. */
export async function personReplyWorld() {
  const proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
  const ada = await newAccount();

  /** Creates a conversation with a customer's message to a new account. */
  async function startConversation(
    said: Said = { type: 'message' },
    overrides: Partial<SocialAccount> = {},
  ) {
    const account = await connectedAccount(ada.organizationId, overrides);
    const from = { id: `customer-${account.id}`, name: 'Charles Babbage' };
    const delivery = await signedEvent(account, { from, ...said });
    expect((await deliver(account.platform, delivery)).body.received).toBe(1);
    await drainWork('inbound-events');
    const [conversation] = await conversationsOf(ada, account);

    return { account, customer: from, conversation, eventId: delivery.eventId };
  }

  function replyCall(conversationId: string, message: string) {
    return {
      params: { organization_id: ada.organizationId, conversation_id: conversationId },
      body: { message },
      token: ada.token,
    };
  }

  function reply({ id }: { readonly id: string }, message = 'Ten pounds.'): Promise<Answer> {
    return call(replyToConversation, replyCall(id, message));
  }

  async function only(account: SocialAccount): Promise<Answer['body']> {
    const [conversation, ...others] = await conversationsOf(ada, account);
    expect(others).toEqual([]);

    return conversation;
  }

  return { proxy, ada, startConversation, replyCall, reply, only };
}
