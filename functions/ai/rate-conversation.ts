import { presentConversation } from '#lib/features/conversations/conversation.ts';
import { rateConversation } from '#lib/features/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.rateConversation,
  async ({ organizationId, params, body, idempotently }) => {
    const conversation = await idempotently((extraWrites) =>
      rateConversation(organizationId, params.conversation_id, body.rating, extraWrites),
    );

    return { conversation: presentConversation(conversation) };
  },
);
