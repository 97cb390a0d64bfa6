import { presentConversation } from '#lib/features/conversations/conversation.ts';
import {
  listLatestMessages,
  requireConversation,
} from '#lib/features/conversations/conversations.ts';
import { presentWithLinks } from '#lib/features/conversations/messages/attachment-links.ts';
import { lastThatFit } from '#lib/platform/http/answer.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getConversation } from '#schemas/conversations.ts';

const shownMessages = 100;

export const handler = endpoint(getConversation, async ({ organizationId, params }) => {
  const { conversation_id: conversationId } = params;
  const [conversation, messages] = await Promise.all([
    requireConversation(organizationId, conversationId),
    listLatestMessages(organizationId, conversationId, shownMessages),
  ]);

  const presented = await Promise.all(
    messages.map((message) => presentWithLinks(organizationId, message)),
  );

  return {
    conversation: {
      ...presentConversation(conversation),
      messages: lastThatFit(presented),
    },
  };
});
