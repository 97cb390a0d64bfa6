import { endpoint } from '#lib/http/endpoint.ts';
import { presentConversation } from '#lib/social/conversations/conversation.ts';
import {
  requireConversation,
  resumeConversation,
} from '#lib/social/conversations/conversations.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.resumeConversation,
  async ({ organizationId, params, once }) => {
    const conversation = await once((alongside) =>
      resumeConversation(organizationId, params.conversation_id, alongside),
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
