import { QueryClient, type QueryFilters } from '@tanstack/preact-query';

/**
 * Queries never refetch by themselves: live updates and changes in other tabs invalidate them.
 * Requests are also sent while the browser believes that it is offline, so that people see the
 * failure.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** The first part of a query's key after the organization. Changes invalidate by subject. */
export type Subject =
  | 'accounts'
  | 'agents'
  | 'billing'
  | 'campaigns'
  | 'content'
  | 'inbox'
  | 'invoices'
  | 'leads'
  | 'organization'
  | 'reports'
  | 'saved-replies'
  | 'settings'
  | 'transactions'
  | 'usage';

type Notice =
  | { readonly kind: 'changed'; readonly subjects: readonly Subject[] }
  | { readonly kind: 'session' };

const channel = new BroadcastChannel('social-leads');

/** Refetches the invalidated queries in all tabs of this browser. */
export function markChanged(...subjects: readonly Subject[]): void {
  channel.postMessage({ kind: 'changed', subjects } satisfies Notice);
  refresh(subjects);
}

/** A subject whose changes are sent in order is read again after the last of them. */
export function refresh(subjects: readonly Subject[]): void {
  const settled = subjects.filter(
    (subject) => queries.isMutating({ mutationKey: inOrderKey(subject) }) === 0,
  );
  void queries.invalidateQueries(about(settled));
}

/**
 * Cancels the running requests for a subject, because they would return the state before a change.
 * Call it before you show the change: it also restores the data from before those requests.
 */
export function cancelReads(subject: Subject): Promise<void> {
  return queries.cancelQueries(about([subject]));
}

/** The key of changes to a subject that are sent one after another. */
export function inOrderKey(subject: Subject): readonly string[] {
  return ['in-order', subject];
}

function about(subjects: readonly Subject[]): QueryFilters {
  return { predicate: ({ queryKey: [, subject] }) => subjects.includes(subject as Subject) };
}

/** Notifies other tabs that the session began, ended or switched the organization. */
export function announceSession(): void {
  channel.postMessage({ kind: 'session' } satisfies Notice);
}

export function onNotice(onSession: () => void): () => void {
  const listener = ({ data }: MessageEvent<Notice>) => {
    if (data.kind === 'changed') {
      refresh(data.subjects);
    } else {
      onSession();
    }
  };
  channel.addEventListener('message', listener);

  return () => channel.removeEventListener('message', listener);
}
