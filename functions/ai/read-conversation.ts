import { presentConversation } from '#lib/features/social/conversations/conversation.ts';
import {
  readConversation,
  requireConversation,
} from '#lib/features/social/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.readConversation,
  async ({ organizationId, params, once }) => {
    const conversation = await once((alongside) =>
      readConversation(organizationId, params.conversation_id, alongside),
    );

    return { conversation: presentConversation(conversation) };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
