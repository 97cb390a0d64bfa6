import { endpoint } from '#lib/http/endpoint.ts';
import { presentConversation } from '#lib/social/conversations/conversation.ts';
import {
  resumeConversation as handBack,
  requireConversation,
} from '#lib/social/conversations/conversations.ts';
import { resumeConversation } from '#schemas/conversations.ts';

export const handler = endpoint(
  resumeConversation,
  async ({ organizationId, params, once }) => {
    const conversation = await once((alongside) =>
      handBack(organizationId, params.conversation_id, alongside),
    );

    return {
      conversation: presentConversation(conversation),
      message: 'Conversation resumed successfully',
    };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
