import { randomUUID } from 'node:crypto';
import { timestamp } from '#lib/clock.ts';
import { write } from '#lib/db/write.ts';
import { newId } from '#lib/ids.ts';
import { planMessage } from '#lib/social/conversations/messages.ts';
import { newConversation, planConversation } from '#lib/social/conversations/new-conversation.ts';
import type { Contract } from '#schemas/contract.ts';
import * as conversations from '#schemas/conversations.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';

/** A conversation in which a customer has written ten messages. */
async function addConversation(organizationId: string): Promise<string> {
  const accountId = newId();
  const conversation = newConversation({
    account: { id: accountId, organizationId, platform: 'FACEBOOK' },
    channel: 'DIRECT_MESSAGE',
    customer: { id: randomUUID(), name: 'Charles Babbage' },
  });
  await write(...planConversation(conversation));
  for (const text of Array.from({ length: 10 }, () => 'What does an engine cost?')) {
    await write(
      ...planMessage(organizationId, {
        id: newId(),
        conversationId: conversation.id,
        accountId,
        direction: 'IN',
        author: 'CUSTOMER',
        text,
        status: 'RECEIVED',
        createdAt: timestamp(),
      }),
    );
  }

  return conversation.id;
}

function aboutConversation(contract: Contract, call: Call = {}): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const conversationId = await addConversation(organizationId);
    const params = { organization_id: organizationId, conversation_id: conversationId };

    return { ...call, token, params };
  });
}

export const conversationScenes: Readonly<Record<string, Scene>> = {
  'list-conversations': aboutConversation(conversations.listConversations),
  'get-conversation': aboutConversation(conversations.getConversation),
  'pause-conversation': aboutConversation(conversations.pauseConversation),
  'resume-conversation': aboutConversation(conversations.resumeConversation),
  'rate-conversation': aboutConversation(conversations.rateConversation, { body: { rating: 5 } }),
};
