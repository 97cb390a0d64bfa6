import { randomUUID } from 'node:crypto';
import type { Conversation, Message } from '#lib/features/social/conversations/conversation.ts';
import { planMessage } from '#lib/features/social/conversations/messages.ts';
import {
  newConversation,
  planConversation,
} from '#lib/features/social/conversations/new-conversation.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';

/** Stores a conversation as if a customer had written. */
export async function storeConversation(
  organizationId: string,
  overrides: Partial<Conversation> = {},
): Promise<Conversation> {
  const conversation: Conversation = {
    ...newConversation({
      account: {
        organizationId,
        id: overrides.accountId ?? randomUUID(),
        platform: overrides.platform ?? 'FACEBOOK',
      },
      channel: overrides.channel ?? 'DIRECT_MESSAGE',
      customer: overrides.customer ?? { id: `customer-${randomUUID()}`, name: 'Charles Babbage' },
    }),
    ...overrides,
  };
  await write(...planConversation(conversation));

  return conversation;
}

/** Stores a message from the conversation's customer, with the given overrides. */
export async function storeMessage(
  { organizationId, id: conversationId, accountId }: Conversation,
  overrides: Partial<Message> = {},
): Promise<Message> {
  const message: Message = {
    id: newId(),
    conversationId,
    accountId,
    direction: 'IN',
    author: 'CUSTOMER',
    text: 'What does an engine cost?',
    status: 'RECEIVED',
    createdAt: timestamp(),
    ...overrides,
  };
  await write(...planMessage(organizationId, message));

  return message;
}
