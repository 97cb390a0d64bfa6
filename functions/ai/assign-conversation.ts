import { assignConversation } from '#lib/features/social/conversations/assign-conversation.ts';
import { presentConversation } from '#lib/features/social/conversations/conversation.ts';
import { requireConversation } from '#lib/features/social/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { findMembership } from '#lib/platform/identity/identity.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.assignConversation,
  async ({ organizationId, params, body, caller, once }) => {
    const conversation = await once((alongside) =>
      assignConversation(
        organizationId,
        params.conversation_id,
        { userId: body.userId, actorId: caller.userId },
        alongside,
      ),
    );

    return { conversation: presentConversation(conversation) };
  },
  {
    ahead: ({ organizationId, params, body }) =>
      Promise.all([
        requireConversation(organizationId, params.conversation_id),
        body.userId ? findMembership(organizationId, body.userId) : undefined,
      ]),
  },
);
