import { presentConversation } from '#lib/features/conversations/conversation.ts';
import { listConversations } from '#lib/features/conversations/inbox/list-conversations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/conversations.ts';

export const handler = endpoint(contracts.listConversations, async ({ organizationId, query }) => {
  const found = await listConversations(organizationId, query);

  return {
    conversations: found.items.map(presentConversation),
    pagination: found.pagination,
  };
});
