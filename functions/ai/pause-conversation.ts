import { presentConversation } from '#lib/features/conversations/conversation.ts';
import { pauseConversation } from '#lib/features/conversations/conversations.ts';
import { awaitSilence } from '#lib/features/conversations/outbound/await-silence.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.pauseConversation,
  async ({ organizationId, params, idempotently }) => {
    const conversation = await idempotently((extraWrites) =>
      pauseConversation(organizationId, params.conversation_id, extraWrites),
    );
    await awaitSilence(organizationId, conversation.id);

    return { conversation: presentConversation(conversation) };
  },
);
