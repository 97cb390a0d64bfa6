import { requireConversation } from '#lib/features/conversations/conversations.ts';
import { presentWithLinks } from '#lib/features/conversations/messages/attachment-links.ts';
import { listMessages } from '#lib/features/conversations/messages/messages.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(
  contracts.listMessages,
  async ({ organizationId, params, query }) => {
    const { conversation_id: conversationId } = params;
    const [{ items, pagination }] = await Promise.all([
      listMessages(organizationId, conversationId, query),
      requireConversation(organizationId, conversationId),
    ]);
    const messages = await Promise.all(
      items.map((message) => presentWithLinks(organizationId, message)),
    );

    return { messages, pagination };
  },
);
