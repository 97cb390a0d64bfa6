import { presentConversation } from '#lib/features/conversations/conversation.ts';
import { readConversation } from '#lib/features/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.readConversation,
  async ({ organizationId, params, idempotently }) => {
    const conversation = await idempotently((extraWrites) =>
      readConversation(organizationId, params.conversation_id, extraWrites),
    );

    return { conversation: presentConversation(conversation) };
  },
);
