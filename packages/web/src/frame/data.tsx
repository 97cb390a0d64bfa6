import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type CallOptions, client, isNotFound, isRejection } from '../service.ts';
import { Failure, Loading } from '../ui/states.tsx';
import { inOrderKey, markChanged, refresh, type Subject } from './queries.ts';
import { useMembership, useSession, useUser } from './session.tsx';

type Signal = { readonly signal: AbortSignal };

/**
 * Reads data of the current organization. The key begins with its subject. Live updates and
 * `useSend` refresh all queries of a subject.
 */
export function useGet<Data>(
  key: readonly [Subject, ...(readonly unknown[])],
  load: (organizationId: string, options: Signal) => PromiseLike<Data>,
  { enabled = true }: { readonly enabled?: boolean } = {},
): UseQueryResult<Data> {
  const { id } = useMembership();

  return useQuery({
    queryKey: [id, ...key],
    queryFn: ({ signal }) => Promise.resolve(load(id, { signal })),
    enabled,
  });
}

/**
 * Reads a record by an id from the address, such as the conversation of a link in an email. If
 * another organization of the user has the record, switches to that organization.
 */
export function useGetByLink<Data>(
  key: readonly [Subject, ...(readonly unknown[])],
  load: (organizationId: string, options: Signal) => PromiseLike<Data>,
): UseQueryResult<Data> {
  const { organizations } = useUser();
  const { switchOrganization } = useSession();

  return useGet(key, async (organizationId, options) => {
    try {
      return await load(organizationId, options);
    } catch (error) {
      if (!isNotFound(error)) {
        throw error;
      }
      for (const { id } of organizations.filter((other) => other.id !== organizationId)) {
        const found = await Promise.resolve(load(id, options)).catch(() => undefined);
        if (found !== undefined) {
          await switchOrganization(id);

          return found;
        }
      }
      throw error;
    }
  });
}

export type Page = { readonly pagination: { readonly nextCursor: string | null } };
export type Pages<P> = UseInfiniteQueryResult<InfiniteData<P>>;

/** Reads a list page by page. Shows the previous list while filters change. */
export function usePages<P extends Page>(
  key: readonly [Subject, ...(readonly unknown[])],
  load: (
    organizationId: string,
    page: { readonly limit: number; readonly cursor?: string },
    options: Signal,
  ) => PromiseLike<P>,
  { limit = 25 }: { readonly limit?: number } = {},
): Pages<P> {
  const { id } = useMembership();

  return useInfiniteQuery({
    queryKey: [id, ...key],
    queryFn: ({ pageParam, signal }) =>
      Promise.resolve(load(id, { limit, ...(pageParam && { cursor: pageParam }) }, { signal })),
    initialPageParam: '',
    getNextPageParam: ({ pagination }: P) => pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

const rereadMs = 1_500;

/** Reads a subject again until something has happened that the service sends no event for. */
export function useReread(subject: Subject, { while: isPending }: { readonly while: boolean }) {
  useEffect(() => {
    const timer = isPending ? setInterval(() => refresh([subject]), rereadMs) : undefined;

    return () => clearInterval(timer);
  }, [isPending, subject]);
}

/** Shows a query: loading, a failure with `Try again`, or the data. */
export function Loaded<Data>({
  of: query,
  children,
}: {
  readonly of: UseQueryResult<Data> | UseInfiniteQueryResult<Data>;
  readonly children: (data: Data) => ComponentChildren;
}) {
  const { data, error } = query;
  // `More` shows that the next page failed.
  const isOfNextPage = 'isFetchNextPageError' in query && query.isFetchNextPageError;
  const failure = error && !isOfNextPage && (
    <Failure error={error} onRetry={() => query.refetch()} />
  );
  if (data === undefined) {
    return failure || <Loading />;
  }

  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}

/** Reports failed queries, in a part of a page that also works without their data. */
export function Failures({ of: queries }: { readonly of: readonly UseQueryResult<unknown>[] }) {
  const failed = queries.filter(({ error, data }) => error && data === undefined);
  const retry = () => Promise.all(failed.map((query) => query.refetch()));

  return failed[0] ? <Failure error={failed[0].error} onRetry={retry} /> : null;
}

/** The end of a list: loads the next page, or reports that loading it failed. */
export function More({ of: pages }: { readonly of: UseInfiniteQueryResult<unknown> }) {
  if (pages.isFetchNextPageError) {
    return <Failure error={pages.error} onRetry={() => pages.fetchNextPage()} />;
  }
  if (!pages.hasNextPage) {
    return null;
  }

  return (
    <button
      type="button"
      class="button"
      aria-disabled={pages.isFetchingNextPage}
      onClick={() => pages.isFetchingNextPage || void pages.fetchNextPage()}
    >
      {pages.isFetchingNextPage ? 'Loading…' : 'Show more'}
    </button>
  );
}

export type Sending<Input, Result> = {
  readonly send: (...input: undefined extends Input ? [Input?] : [Input]) => Promise<Result>;
  readonly isSending: boolean;
  readonly error: unknown;
  /** Repeats the request. For a `Try again` button. */
  readonly retry: () => void;
  readonly reset: () => void;
};

/**
 * Changes data. After a success, all tabs reload everything about the given subjects. If the
 * outcome is unknown, the same input is sent again with the same idempotency key, so that nothing
 * happens twice. After a rejection, the next request has a new key: for the same key, the service
 * would repeat the rejection even if its reason is gone. With `inOrder`, requests about a subject are
 * sent one after another, so the last one decides. Until then, the subject is not read again, and the
 * page can show the change.
 */
export function useSend<Input, Result>(
  change: (input: Input, options: CallOptions) => PromiseLike<Result>,
  {
    changes = [],
    inOrder,
  }: { readonly changes?: readonly Subject[]; readonly inOrder?: Subject } = {},
): Sending<Input, Result> {
  const failed = useRef<{ readonly input: string; readonly idempotencyKey: string }>();
  // A mutation gets its new options only after the render, which can be later than a fast Enter.
  const current = useRef(change);
  current.current = change;
  const { mutateAsync, variables, isPending, error, reset } = useMutation({
    mutationFn: async (input: Input) => {
      const text = JSON.stringify(input) ?? '';
      const idempotencyKey =
        failed.current?.input === text ? failed.current.idempotencyKey : crypto.randomUUID();
      failed.current = undefined;
      try {
        return await current.current(input, { idempotencyKey });
      } catch (error) {
        if (!isRejection(error)) {
          failed.current = { input: text, idempotencyKey };
        }
        throw error;
      }
    },
    ...(inOrder && { mutationKey: inOrderKey(inOrder), scope: { id: inOrder } }),
  });

  const send = async (input: unknown) => {
    const result = await mutateAsync(input as Input);
    markChanged(...changes);

    return result;
  };

  return {
    send: (...[input]) => send(input),
    isSending: isPending,
    error,
    retry: () => void send(variables).catch(() => undefined),
    reset,
  };
}

/** The organization with its settings: name, time zone, … */
export function useOrganization() {
  return useGet(['organization'], (organizationId, options) =>
    client.organizations.get({ organizationId }, options),
  );
}

/**
 * For the frame. Without the organization, the dates of a page are in the wrong time zone. The
 * frame loads it while the page loads its data, and not when the first date is shown.
 */
export function OrganizationFailure() {
  return <Failures of={[useOrganization()]} />;
}
