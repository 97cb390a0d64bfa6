import { createNote } from '#schemas/conversations.ts';
import { storeConversation } from '#tests/support/conversations.ts';
import { conversationWorld } from './conversation-world.ts';

/** Creates a conversation whose team takes notes. */
export async function noteWorld() {
  const world = await conversationWorld();
  const { id } = await storeConversation(world.owner.organizationId);
  const params = { conversation_id: id };

  return {
    ...world,
    params,
    add: (text: string, token = world.owner.token) =>
      world.ask(createNote, { params, body: { text }, token }),
  };
}
