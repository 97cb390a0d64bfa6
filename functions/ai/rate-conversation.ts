import { presentConversation } from '#lib/features/social/conversations/conversation.ts';
import {
  rateConversation,
  requireConversation,
} from '#lib/features/social/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.rateConversation,
  async ({ organizationId, params, body, once }) => {
    const conversation = await once((alongside) =>
      rateConversation(organizationId, params.conversation_id, body.rating, alongside),
    );

    return { conversation: presentConversation(conversation) };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
