import { storeConversation, storeMessage } from '#tests/support/conversations.ts';
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

export const conversationFixtures: Fixtures = {
  getConversation: aConversation,
  pauseConversation: aConversation,
  resumeConversation: aConversation,
  rateConversation: aConversation,
};
