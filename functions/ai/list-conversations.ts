import { endpoint } from '#lib/http/endpoint.ts';
import { presentConversation } from '#lib/social/conversations/conversation.ts';
import { listConversations } from '#lib/social/conversations/list-conversations.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(contracts.listConversations, async ({ organizationId, query }) => {
  const { page, limit, cursor, ...filters } = query;
  const found = await listConversations(organizationId, filters, { page, limit, cursor });

  return {
    conversations: found.conversations.map(presentConversation),
    pagination: found.pagination,
    message: 'Conversations retrieved successfully',
  };
});
