import { useQuery } from '@tanstack/preact-query';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { client, type GetMeResponse, isSessionEnd, type Role } from '../service.ts';
import { settings } from '../settings.ts';
import { forgetDrafts } from './draft-storage.ts';
import { announceSession, onNotice, queries } from './queries.ts';

export type User = GetMeResponse['user'];

export type Session = {
  /** Undefined while it is loading or after it failed to load. Null without a session. */
  readonly user: User | undefined | null;
  readonly error: unknown;
  /** Reads the user again, after a sign-in and after changes of the user. */
  readonly refresh: () => Promise<void>;
  readonly end: () => void;
  readonly signOut: () => Promise<void>;
  readonly switchOrganization: (organizationId: string) => Promise<void>;
};

const SessionContext = createContext<Session | undefined>(undefined);
const key = ['me'] as const;

export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [exists, setExists] = useState(settings.hasSession);
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.auth.getMe({}, { signal }),
    enabled: exists,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const session = useMemo<Session>(() => {
    const refresh = async () => {
      setExists(true);
      await queries.fetchQuery({
        queryKey: key,
        queryFn: ({ signal }) => client.auth.getMe({}, { signal }),
        staleTime: 0,
      });
    };
    const end = () => {
      setExists(false);
      queries.clear();
    };

    return {
      user: exists ? data?.user : null,
      error,
      refresh: async () => {
        await refresh();
        announceSession();
      },
      end,
      signOut: async () => {
        await client.auth.logOut({});
        forgetDrafts();
        end();
        announceSession();
      },
      switchOrganization: async (organizationId) => {
        await client.auth.switchOrganization({ organizationId });
        await refresh();
        announceSession();
      },
    };
  }, [exists, data, error]);

  // Any request can report that the session has ended.
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && isSessionEnd(query.state.error)) {
          session.end();
        }
      }),
    [session],
  );
  useEffect(
    () =>
      queries.getMutationCache().subscribe(({ type, mutation }) => {
        if (type === 'updated' && isSessionEnd(mutation.state.error)) {
          session.end();
        }
      }),
    [session],
  );
  useEffect(
    () =>
      onNotice(() => {
        setExists(true);
        void queries.invalidateQueries({ queryKey: key });
      }),
    [],
  );

  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) {
    throw new Error('useSession needs a SessionProvider');
  }

  return session;
}

/** The signed-in user. Pages inside the frame always have one. */
export function useUser(): User {
  const { user } = useSession();
  if (!user) {
    throw new Error('useUser needs a signed-in user');
  }

  return user;
}

/** The current organization, with the user's role. Pages inside the frame always have one. */
export function useMembership() {
  const { currentOrganization } = useUser();
  if (!currentOrganization) {
    throw new Error('useMembership needs an organization');
  }

  return currentOrganization;
}

const ranks: Readonly<Record<Role, number>> = { VIEWER: 0, MEMBER: 1, ADMIN: 2, OWNER: 3 };

/** Returns whether the user's role is at least this one: `const can = useCan(); can('ADMIN')`. */
export function useCan(): (lowest: Role) => boolean {
  const { role } = useMembership();

  return (lowest) => ranks[role] >= ranks[lowest];
}
