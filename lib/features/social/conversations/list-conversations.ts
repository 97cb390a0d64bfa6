import { type Filter, type FilteredList, listFiltered } from '#lib/platform/db/filtered-list.ts';
import { keys } from '#lib/platform/db/keys.ts';
import type { PageRequest } from '#lib/platform/db/list.ts';
import { getMany } from '#lib/platform/db/read.ts';
import type { ListIndex } from '#lib/platform/db/sharded-list.ts';
import type { FiltersOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/conversations.ts';
import type { Conversation } from './conversation.ts';
import { counted, readConversationCount } from './conversation-counters.ts';

export type ConversationFilters = FiltersOf<typeof contracts.listConversations>;

const indexes: Readonly<Record<keyof ConversationFilters, ListIndex>> = {
  status: { name: 'byStatus', attribute: 'status' },
  channel: { name: 'byChannel', attribute: 'channel' },
  socialAccountId: { name: 'byAccount', attribute: 'accountId' },
  campaignId: { name: 'byMatchedCampaign', attribute: 'matchedCampaignId' },
};

function countFiltered(
  organizationId: string,
  filter: Filter<keyof ConversationFilters> | undefined,
): Promise<number> {
  if (!filter) {
    return readConversationCount(organizationId, counted.all);
  }
  switch (filter.field) {
    case 'socialAccountId':
      return readConversationCount(organizationId, counted.account(filter.value));
    case 'campaignId':
      return readConversationCount(organizationId, counted.campaign(filter.value));
    default:
      return readConversationCount(organizationId, counted.all, `${filter.field}_${filter.value}`);
  }
}

/** Returns one page of the conversations that match all filters, newest first. */
export async function listConversations(
  organizationId: string,
  wanted: ConversationFilters,
  request: PageRequest,
) {
  const list: FilteredList<keyof ConversationFilters> = {
    organizationId,
    all: 'conversation',
    indexes,
    count: (filter) => countFiltered(organizationId, filter),
    keyOf: (id) => keys.conversation(organizationId, id),
  };
  const { items, pagination } = await listFiltered(list, wanted, request);
  const found = await getMany<Conversation>(items.map(({ id }) => list.keyOf(id)));

  return {
    conversations: found.filter((conversation) => conversation !== undefined),
    pagination,
  };
}
