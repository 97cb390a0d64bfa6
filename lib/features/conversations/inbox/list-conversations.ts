import { readConversations } from '#lib/features/conversations/conversation-entries.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { type IndexedList, listIndexPage } from '#lib/platform/db/lists/sharded-list.ts';
import type { FiltersOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/conversations.ts';
import {
  type ConversationFilters,
  countMatching,
  filtersOf,
  isIndexed,
  listBy,
} from './conversation-filters.ts';
import { findCandidates } from './find-candidates.ts';
import { type ConversationPage, pickCandidates, walkInbox } from './inbox-pages.ts';

type ListRequest = FiltersOf<typeof contracts.listConversations> & PageRequest;

/**
 * Returns one page of the conversations that match all filters, in the order of `sort`. The number
 * of rows that a page reads is limited, however many conversations there are.
 */
export async function listConversations(
  organizationId: string,
  { sort, page, limit, cursor, ...filters }: ListRequest,
): Promise<ConversationPage> {
  const request = { page, limit, cursor };
  const list = findList(organizationId, filters);
  if (sort === 'created' && list) {
    const total = countMatching(organizationId, filters).then((counted) => counted ?? 0);
    const found = await listIndexPage(list, request, total);

    return { ...found, items: await readConversations(organizationId, found.items) };
  }
  const inbox = { organizationId, sort, filters };
  const [candidates, counted] = await Promise.all([
    findCandidates(inbox, limit),
    countMatching(organizationId, filters),
  ]);

  return candidates && sort !== 'created'
    ? pickCandidates(inbox, candidates, request)
    : walkInbox(inbox, candidates, request, counted);
}

/** Returns a list that contains exactly the matching conversations, newest first, if one exists. */
function findList(organizationId: string, filters: ConversationFilters): IndexedList | undefined {
  const [field, ...others] = filtersOf(filters);

  return field === undefined || (isIndexed(field) && others.length === 0)
    ? listBy(organizationId, filters, field)
    : undefined;
}
