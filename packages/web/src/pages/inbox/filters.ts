import { useLocation, useSearchParams } from 'wouter-preact';
import type { ListConversationsInput } from '../../service.ts';

const names = [
  'status',
  'channel',
  'socialAccountId',
  'campaignId',
  'assignedToId',
  'controller',
  'unread',
  'waiting',
  'unanswered',
  'leadId',
  'contactId',
  'search',
] as const;
type Name = (typeof names)[number];

type Wanted = Pick<ListConversationsInput, Name | 'sort'>;
type Filters = Partial<Record<Name, string>>;

export const orders = {
  lastMessage: 'Latest message',
  created: 'Newest',
  waiting: 'Waiting longest',
} as const;

/** The filters, the search and the sort order of the address. */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const [location] = useLocation();
  const filters: Filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = params.get(name);

      return value ? [[name, value]] : [];
    }),
  );
  const sort = params.get('sort') ?? 'lastMessage';
  const changed = (changes: Readonly<Record<string, string | undefined>>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      if (value) {
        next.set(name, value);
      } else {
        next.delete(name);
      }
    }

    return next;
  };
  const addressOf = (path: string, search: URLSearchParams) =>
    `${path}${search.size ? `?${search}` : ''}`;

  return {
    filters,
    sort,
    /** As the API accepts them. The API reports unknown values. */
    wanted: { ...filters, sort } as Wanted,
    set: (changes: Readonly<Record<string, string | undefined>>) =>
      setParams(changed(changes), { replace: true }),
    /** The address of this page with other filters. */
    hrefWith: (changes: Readonly<Record<string, string | undefined>>) =>
      addressOf(location, changed(changes)),
    /** The address of another page of the inbox, with the same filters. */
    hrefOf: (path: string) => addressOf(path, params),
    clear: () => setParams(params.has('sort') ? { sort } : {}, { replace: true }),
  };
}
