import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { client, SocialLeadsError, type WebhookEvent } from '../service.ts';
import { queries, refresh, type Subject } from './queries.ts';
import { useMembership } from './session.tsx';

type Listener = (event: WebhookEvent) => void;
type Listeners = Set<Listener>;

/** The subjects that an event invalidates, by the first part of the event type. */
const subjectsOf: Readonly<Record<string, readonly Subject[]>> = {
  account: ['accounts'],
  campaign: ['campaigns'],
  comment: ['inbox'],
  contact: ['leads', 'inbox'],
  content: ['content'],
  conversation: ['inbox'],
  credits: ['billing'],
  lead: ['leads', 'inbox', 'reports'],
  member: ['settings'],
  message: ['inbox'],
};

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
/** The gateway closes connections after ten minutes without a message. */
const heartbeatMs = 5 * 60_000;
/** One refresh covers all events within this time. */
const collectMs = 150;

const LiveContext = createContext<Listeners>(new Set());

/**
 * Receives the organization's events over a WebSocket. Each event refreshes the data that it is
 * about. After a lost connection, all data is loaded again.
 */
export function LiveUpdates({ children }: { readonly children: ComponentChildren }) {
  const { id } = useMembership();
  const [listeners] = useState<Listeners>(() => new Set());
  const isConnected = useConnection(id, listeners);
  const isOnline = useOnline();
  const status = isOnline
    ? isConnected || 'Reconnecting… What you see may be out of date.'
    : 'You are offline. What you see may be out of date.';

  return (
    <LiveContext.Provider value={listeners}>
      <p role="status" class="connection">
        {status === true ? '' : status}
      </p>
      {children}
    </LiveContext.Provider>
  );
}

/** Calls the listener with each event of the organization. */
export function useLiveEvents(listener: Listener): void {
  const listeners = useContext(LiveContext);
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => {
    const own: Listener = (event) => current.current(event);
    listeners.add(own);

    return () => {
      listeners.delete(own);
    };
  }, [listeners]);
}

/** Returns false while a lost or failed connection is not restored. */
function useConnection(organizationId: string, listeners: Listeners): boolean {
  const [isConnected, setIsConnected] = useState(true);
  useEffect(() => {
    let socket: WebSocket | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let heartbeat: ReturnType<typeof setInterval> | undefined;
    let failures = 0;
    let hasBeenLost = false;
    let isStopped = false;
    const refreshLater = createCollector();

    const reconnect = () => {
      clearInterval(heartbeat);
      if (isStopped) {
        return;
      }
      setIsConnected(false);
      hasBeenLost = true;
      const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
      failures += 1;
      // A random delay spreads the reconnects of browsers that were disconnected together.
      timer = setTimeout(connect, waitMs * (0.5 + Math.random() / 2));
    };
    const connect = async () => {
      try {
        const { ticket, url } = await client.organizations.createLiveTicket({ organizationId });
        if (isStopped) {
          return;
        }
        socket = new WebSocket(`${url}?ticket=${ticket}`);
        socket.onopen = () => {
          failures = 0;
          setIsConnected(true);
          heartbeat = setInterval(() => socket?.send('.'), heartbeatMs);
          if (hasBeenLost) {
            void queries.invalidateQueries();
          }
        };
        socket.onmessage = ({ data }) => {
          const event = JSON.parse(data) as WebhookEvent;
          refreshLater(subjectsOf[event.type.split('.')[0] ?? ''] ?? []);
          for (const listener of listeners) {
            listener(event);
          }
        };
        socket.onclose = reconnect;
      } catch (error) {
        const isOver = error instanceof SocialLeadsError && [401, 404].includes(error.status);
        if (isOver) {
          // Checks whether the session or the membership has ended.
          void queries.invalidateQueries({ queryKey: ['me'] });
        } else {
          reconnect();
        }
      }
    };
    const retryNow = () => {
      if (timer !== undefined && socket?.readyState !== WebSocket.OPEN) {
        clearTimeout(timer);
        failures = 0;
        void connect();
      }
    };
    void connect();
    addEventListener('online', retryNow);

    return () => {
      isStopped = true;
      removeEventListener('online', retryNow);
      clearTimeout(timer);
      clearInterval(heartbeat);
      closeQuietly(socket);
    };
  }, [organizationId, listeners]);

  return isConnected;
}

/** Browsers report an error if a connection is closed before it is open. */
function closeQuietly(socket: WebSocket | undefined): void {
  if (socket?.readyState === WebSocket.CONNECTING) {
    socket.onopen = () => socket.close();
  } else {
    socket?.close();
  }
}

function createCollector(): (subjects: readonly Subject[]) => void {
  const collected = new Set<Subject>();

  return (subjects) => {
    if (collected.size === 0) {
      setTimeout(() => {
        refresh([...collected]);
        collected.clear();
      }, collectMs);
    }
    for (const subject of subjects) {
      collected.add(subject);
    }
  };
}

function useOnline(): boolean {
  const [isOnline, setIsOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setIsOnline(navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);

    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);

  return isOnline;
}
