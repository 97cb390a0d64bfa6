import { assignConversation } from '#lib/features/conversations/assign-conversation.ts';
import { presentConversation } from '#lib/features/conversations/conversation.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.assignConversation,
  async ({ organizationId, params, body, caller, idempotently }) => {
    const conversation = await idempotently((extraWrites) =>
      assignConversation(
        organizationId,
        params.conversation_id,
        { userId: body.userId, actorId: caller.userId },
        extraWrites,
      ),
    );

    return { conversation: presentConversation(conversation) };
  },
);
