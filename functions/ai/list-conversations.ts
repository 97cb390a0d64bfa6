import { endpoint } from '#lib/http/endpoint.ts';
import { presentConversation } from '#lib/social/conversations/conversation.ts';
import { listConversations as findConversations } from '#lib/social/conversations/list-conversations.ts';
import { listConversations } from '#schemas/conversations.ts';

export const handler = endpoint(listConversations, async ({ organizationId, query }) => {
  const { page, limit, cursor, ...filters } = query;
  const found = await findConversations(organizationId, filters, { page, limit, cursor });

  return {
    conversations: found.conversations.map(presentConversation),
    pagination: found.pagination,
    message: 'Conversations retrieved successfully',
  };
});
