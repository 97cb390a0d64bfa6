import { endpoint } from '#lib/http/endpoint.ts';
import { awaitSilence } from '#lib/social/conversations/await-silence.ts';
import { presentConversation } from '#lib/social/conversations/conversation.ts';
import { pauseConversation, requireConversation } from '#lib/social/conversations/conversations.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.pauseConversation,
  async ({ organizationId, params, once }) => {
    const conversation = await once((alongside) =>
      pauseConversation(organizationId, params.conversation_id, alongside),
    );
    await awaitSilence(organizationId, conversation.id);

    return {
      conversation: presentConversation(conversation),
      message: 'Conversation paused successfully',
    };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
