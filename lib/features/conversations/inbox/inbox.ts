import type { ConversationSort } from '#schemas/conversations.ts';
import type { ConversationFilters } from './conversation-filters.ts';

export type Inbox = {
  readonly organizationId: string;
  readonly sort: ConversationSort;
  readonly filters: ConversationFilters;
};
