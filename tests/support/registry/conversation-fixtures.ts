import { storeConversation, storeMessage } from '#tests/support/conversations.ts';
import { connectedAccount, signedEvent } from '#tests/support/network-events.ts';
import type { Fixtures } from './fixture.ts';
import type { World } from './world.ts';

const aConversation: Fixtures[string] = {
  params: async ({ organizationId, names }: World) => {
    const conversation = await storeConversation(organizationId, {
      customer: { id: crypto.randomUUID(), name: names[0] ?? '' },
    });
    await storeMessage(conversation);

    return { conversation_id: conversation.id };
  },
};

/** One whose account may answer. */
const anOpenConversation: Fixtures[string] = {
  params: async ({ organizationId, names }: World) => {
    const account = await connectedAccount(organizationId);
    const from = { id: crypto.randomUUID(), name: names[0] ?? '' };
    await signedEvent(account, { type: 'message', from });
    const conversation = await storeConversation(organizationId, {
      accountId: account.id,
      customer: from,
    });

    return { conversation_id: conversation.id };
  },
};

export const conversationFixtures: Fixtures = {
  replyToConversation: anOpenConversation,
  getConversation: aConversation,
  pauseConversation: aConversation,
  resumeConversation: aConversation,
  rateConversation: aConversation,
};
