import type { Platform } from '#schemas/platforms.ts';
import type { Fault, FaultRequest } from './frame/faults.ts';
import type { LoggedRequest } from './frame/request-log.ts';
import type {
  AccountRequest,
  EventRequest,
  HandshakeRequest,
  TokenRequest,
} from './services/networks/network-control.ts';
import type { Delivery, HandshakeOutcome } from './services/networks/network-definition.ts';
import type {
  SandboxPost,
  SandboxReply,
  SandboxSubscription,
} from './services/networks/network-world.ts';
import type { SandboxMail } from './services/ses.ts';

/** Which calls to list; `since` is an ISO time. */
type RequestQuery = {
  readonly service?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly contains?: string;
};

/** What became of an event; `delivery` is what was sent, or would have been with no deliveries. */
export type SentEvent = {
  readonly eventId: string;
  readonly responses: ReadonlyArray<{ readonly status: number | null }>;
  readonly delivery?: Delivery;
};

/** One network, from the other side. */
export type NetworkClient = {
  /** Tokens that the network accepts for a user, page or organization of that id. */
  readonly issueTokens: (
    request: TokenRequest,
  ) => Promise<{ readonly accessToken: string; readonly refreshToken: string }>;
  /** By access or refresh token: both are dead then. */
  readonly revokeTokens: (token: string) => Promise<void>;
  /** What is published now, newest first. */
  readonly posts: (userId?: string) => Promise<readonly SandboxPost[]>;
  readonly setMetrics: (postId: string, metrics: Readonly<Record<string, number>>) => Promise<void>;
  readonly setAccount: (userId: string, account: AccountRequest) => Promise<void>;
  /** What the service sent, oldest first. */
  readonly replies: (userId?: string) => Promise<readonly SandboxReply[]>;
  readonly subscriptions: (userId?: string) => Promise<readonly SandboxSubscription[]>;
  /** Lets a customer do something. With `deliveries: 0` nothing is sent, and `delivery` says what. */
  readonly sendEvent: (event: EventRequest) => Promise<SentEvent>;
  readonly shakeHands: (request?: HandshakeRequest) => Promise<HandshakeOutcome>;
};

/** An event of the payment provider, signed now. */
export type PaymentEvent = {
  readonly id: string;
  readonly type: string;
  /** What the service answered, delivery by delivery; null: nothing. */
  readonly statuses: readonly (number | null)[];
  readonly payload: string;
  readonly signature: string;
};

export type PaymentEventRequest = {
  readonly type: string;
  /** Stands over what the provider knows of the thing of that id. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly eventId?: string;
  readonly deliveries?: number;
};

export type SentPaymentEvent = {
  readonly eventId: string;
  readonly responses: ReadonlyArray<{ readonly status: number | null }>;
  readonly payload: string;
  readonly signature: string;
};

export type SandboxClient = {
  readonly reset: () => Promise<void>;
  readonly requests: (query?: RequestQuery) => Promise<readonly LoggedRequest[]>;
  readonly addFault: (fault: FaultRequest) => Promise<{ readonly id: string }>;
  readonly faults: () => Promise<readonly Fault[]>;
  readonly endFault: (id: string) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  readonly mails: (to?: string) => Promise<readonly SandboxMail[]>;
  /** The payment provider's events, oldest first. */
  readonly paymentEvents: () => Promise<readonly PaymentEvent[]>;
  /** Has the payment provider tell of something. */
  readonly sendPaymentEvent: (event: PaymentEventRequest) => Promise<SentPaymentEvent>;
  /** Time passes at the payment provider, with all that comes of it. */
  readonly advancePaymentClock: (advanceDays: number) => Promise<void>;
  /** Says where the service answers that networks send their events to. */
  readonly setServiceUrl: (url: string) => Promise<void>;
  readonly network: (platform: Platform) => NetworkClient;
};

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** Talks to the control API of the sandbox at `url`; throws with its reason where it refuses. */
export function sandboxClient(url: string): SandboxClient {
  const call: Call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

    if (!response.ok) {
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    }

    return (await response.json()) as T;
  };

  return {
    reset: async () => {
      await call('POST', '/reset');
    },
    requests: async (query = {}) => {
      const { requests } = await call<{ requests: readonly LoggedRequest[] }>(
        'GET',
        `/requests?${toQuery(query)}`,
      );

      return requests;
    },
    addFault: (fault) => call('POST', '/faults', fault),
    faults: async () => (await call<{ faults: readonly Fault[] }>('GET', '/faults')).faults,
    endFault: async (id) => {
      await call('DELETE', `/faults/${encodeURIComponent(id)}`);
    },
    clearFaults: async () => {
      await call('DELETE', '/faults');
    },
    mails: async (to) => {
      const { mails } = await call<{ mails: readonly SandboxMail[] }>(
        'GET',
        `/mails?${toQuery({ to })}`,
      );

      return mails;
    },
    paymentEvents: async () => {
      const { events } = await call<{ events: readonly PaymentEvent[] }>('GET', '/stripe/events');

      return events;
    },
    sendPaymentEvent: (event) => call('POST', '/stripe/events', event),
    advancePaymentClock: async (advanceDays) => {
      await call('POST', '/stripe/clock', { advanceDays });
    },
    setServiceUrl: async (serviceUrl) => {
      await call('POST', '/service-url', { url: serviceUrl });
    },
    network: (platform) => networkClient(call, platform),
  };
}

function networkClient(call: Call, platform: Platform): NetworkClient {
  const base = `/social/${platform.toLowerCase()}`;
  const list = async <T>(what: string, userId: string | undefined): Promise<readonly T[]> => {
    const answer = await call<Record<string, readonly T[]>>(
      'GET',
      `${base}/${what}?${toQuery({ userId })}`,
    );

    return answer[what] ?? [];
  };

  return {
    issueTokens: (request) => call('POST', `${base}/tokens`, request),
    revokeTokens: async (token) => {
      await call('DELETE', `${base}/tokens/${encodeURIComponent(token)}`);
    },
    posts: (userId) => list<SandboxPost>('posts', userId),
    setMetrics: async (postId, metrics) => {
      await call('PUT', `${base}/posts/${encodeURIComponent(postId)}/metrics`, metrics);
    },
    setAccount: async (userId, account) => {
      await call('PUT', `${base}/accounts/${encodeURIComponent(userId)}`, account);
    },
    replies: (userId) => list<SandboxReply>('replies', userId),
    subscriptions: (userId) => list<SandboxSubscription>('subscriptions', userId),
    sendEvent: (event) => call('POST', `${base}/events`, event),
    shakeHands: (request = {}) => call('POST', `${base}/handshake`, request),
  };
}

function toQuery(values: Readonly<Record<string, string | number | undefined>>): string {
  return new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
}
