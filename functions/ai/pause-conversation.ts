import { awaitSilence } from '#lib/features/social/conversations/await-silence.ts';
import { presentConversation } from '#lib/features/social/conversations/conversation.ts';
import {
  pauseConversation,
  requireConversation,
} from '#lib/features/social/conversations/conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.pauseConversation,
  async ({ organizationId, params, once }) => {
    const conversation = await once((alongside) =>
      pauseConversation(organizationId, params.conversation_id, alongside),
    );
    await awaitSilence(organizationId, conversation.id);

    return { conversation: presentConversation(conversation) };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireConversation(organizationId, params.conversation_id),
  },
);
