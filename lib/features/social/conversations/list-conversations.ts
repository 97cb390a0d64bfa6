import type { PageRequest } from '#lib/platform/db/list.ts';
import { listIndexPage } from '#lib/platform/db/sharded-list.ts';
import type { FiltersOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/conversations.ts';
import { readConversations } from './conversation-entries.ts';
import {
  type ConversationFilters,
  countMatching,
  filtersOf,
  indexedFilters,
  isIndexed,
} from './conversation-filters.ts';
import { findCandidates } from './find-candidates.ts';
import { type ConversationPage, pickCandidates, walkInbox } from './inbox-pages.ts';

type ListRequest = FiltersOf<typeof contracts.listConversations> & PageRequest;

/**
 * Returns one page of the conversations that match all filters, in the order of `sort`. What a page
 * reads is bounded, however many conversations there are.
 */
export async function listConversations(
  organizationId: string,
  { sort, page, limit, cursor, ...filters }: ListRequest,
): Promise<ConversationPage> {
  const request = { page, limit, cursor };
  const indexed = findIndex(filters);
  if (sort === 'created' && indexed) {
    const total = countMatching(organizationId, filters).then((counted) => counted ?? 0);
    const found = await listIndexPage({ organizationId, ...indexed }, request, total);

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

/** Returns the index that lists exactly what the filters match, newest first, if there is one. */
function findIndex(filters: ConversationFilters) {
  const [field, ...others] = filtersOf(filters);
  if (field === undefined) {
    return { index: { name: 'list', attribute: 'list' }, value: 'conversation' };
  }

  return isIndexed(field) && others.length === 0
    ? { index: indexedFilters[field], value: String(filters[field]) }
    : undefined;
}
