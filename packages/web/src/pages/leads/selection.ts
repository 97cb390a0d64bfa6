import { useEffect } from 'preact/hooks';
import { usePages } from '../../frame/data.tsx';
import { client, type Lead, type LeadStatus, type ListLeadsInput } from '../../service.ts';
import { useFilters } from '../../ui/filters.tsx';

export type Selection = Omit<ListLeadsInput, 'organizationId' | 'page' | 'limit' | 'cursor'>;

export const filterNames = ['status', 'tag', 'segmentId', 'assignedToId', 'campaignId'] as const;

/** Returns the leads that match the filters of the address. */
export function useSelection(): Selection {
  const { those } = useFilters();
  const { status, ...others } = those(...filterNames, 'pipelineId');

  return { ...others, ...(status && { status: status as LeadStatus }) };
}

export function useLeads(view: string, selection: Selection) {
  return usePages(['leads', view, selection], (organizationId, page, options) =>
    client.leads.list({ organizationId, ...selection, ...page }, options),
  );
}

/** A search loads this many pages, and more on request. */
const pagesOfSearch = 10;

/**
 * Searches the newest leads in the browser, because the API has no search for leads. Loads up to
 * 1,000 leads by itself.
 */
export function useSearchedLeads(selection: Selection, search: string) {
  const found = usePages(
    ['leads', 'search', selection],
    (organizationId, page, options) =>
      client.leads.list({ organizationId, ...selection, ...page }, options),
    { limit: 100 },
  );
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = found;
  const count = data?.pages.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && count < pagesOfSearch) {
      void fetchNextPage();
    }
  }, [hasNextPage, isFetching, isError, count]);

  return { query: found, filter: (leads: readonly Lead[]) => leads.filter(matcherOf(search)) };
}

function matcherOf(search: string): (lead: Lead) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);

  return ({ contact, tags, notes, source }) => {
    const texts = [contact?.name, contact?.email, contact?.company, contact?.phone, notes, source];
    const text = [...texts, ...tags].join('\n').toLowerCase();

    return words.every((word) => text.includes(word));
  };
}
