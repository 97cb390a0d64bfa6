import { presentConversation } from '#lib/features/conversations/conversation.ts';
import { resumeConversation } from '#lib/features/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.resumeConversation,
  async ({ organizationId, params, idempotently }) => {
    const conversation = await idempotently((extraWrites) =>
      resumeConversation(organizationId, params.conversation_id, extraWrites),
    );

    return { conversation: presentConversation(conversation) };
  },
);
