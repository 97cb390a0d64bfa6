import { endpoint } from '#lib/http/endpoint.ts';
import { presentConversation } from '#lib/social/conversations/conversation.ts';
import {
  rateConversation as rate,
  requireConversation,
} from '#lib/social/conversations/conversations.ts';
import { rateConversation } from '#schemas/conversations.ts';

export const handler = endpoint(
  rateConversation,
  async ({ organizationId, params, body, once }) => {
    const conversation = await once((alongside) =>
      rate(organizationId, params.conversation_id, body.rating, alongside),
    );

    return {
      conversation: presentConversation(conversation),
      message: 'Conversation rated successfully',
    };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
