import type { Fault, FaultRequest } from './frame/faults.ts';
import type { LoggedRequest } from './frame/request-log.ts';
import type { Platform } from './platforms.ts';
import type { IdTokenRequest } from './services/google.ts';
import type {
  AccountRequest,
  DemographicsRequest,
  EventRequest,
  HandshakeRequest,
  LeadAdRequest,
  PersonRequest,
  PostRequest,
  SignedRequestRequest,
  SignInRequest,
  TapRequest,
  TokenRequest,
} from './services/networks/network-control.ts';
import type { Delivery, HandshakeOutcome } from './services/networks/network-definition.ts';
import type {
  SandboxPost,
  SandboxReply,
  SandboxSubscription,
  ShownComment,
} from './services/networks/network-world.ts';
import type { SandboxMail } from './services/ses-mail-page.ts';

/** Filters for the logged requests. `since` is an ISO time. */
type RequestQuery = {
  readonly service?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly contains?: string;
};

/**
 * The outcome of an event. `delivery` is the request that was sent, or would have been sent if
 * `deliveries` is 0.
 */
export type SentEvent = {
  readonly eventId: string;
  readonly responses: ReadonlyArray<{ readonly status: number | null }>;
  readonly delivery?: Delivery;
};

export type BusinessToken = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly openId: string;
};

/** Controls one simulated network. */
export type NetworkClient = {
  /** Issues tokens that the network accepts for the user, page or organization with that id. */
  readonly issueTokens: (
    request: TokenRequest,
  ) => Promise<{ readonly accessToken: string; readonly refreshToken: string }>;
  /**
   * Issues a token of the network's second app, for messages and comments. Only TikTok has one.
   */
  readonly issueBusinessToken: (request: Omit<TokenRequest, 'purpose'>) => Promise<BusinessToken>;
  /** Accepts an access or a refresh token. Revokes both. */
  readonly revokeTokens: (token: string) => Promise<void>;
  /** Returns the published posts, newest first. */
  readonly posts: (userId?: string) => Promise<readonly SandboxPost[]>;
  /** Creates a post at the network itself. */
  readonly makePost: (post: PostRequest) => Promise<{ readonly id: string }>;
  readonly editPost: (postId: string, text: string) => Promise<void>;
  readonly setDemographics: (postId: string, demographics: DemographicsRequest) => Promise<void>;
  readonly setMetrics: (postId: string, metrics: Readonly<Record<string, number>>) => Promise<void>;
  readonly setAccount: (userId: string, account: AccountRequest) => Promise<void>;
  /** Sets the profile that the network returns for a person. */
  readonly setPerson: (personId: string, person: PersonRequest) => Promise<void>;
  /** Registers somebody who can give consent on the network's authorization page. */
  readonly addPerson: (person: SignInRequest) => Promise<{ readonly id: string }>;
  /** Returns all comments under the account's posts, oldest first. */
  readonly comments: (userId?: string) => Promise<readonly ShownComment[]>;
  /** Returns what the service sent, oldest first. */
  readonly replies: (userId?: string) => Promise<readonly SandboxReply[]>;
  readonly subscriptions: (userId?: string) => Promise<readonly SandboxSubscription[]>;
  /**
   * Simulates a customer action. With `deliveries: 0` nothing is sent, and `delivery` holds the
   * event.
   */
  readonly sendEvent: (event: EventRequest) => Promise<SentEvent>;
  /** Submits the form of a lead ad. Delivers the change `deliveries` times, or only returns it. */
  readonly submitLeadAd: (request: LeadAdRequest) => Promise<SubmittedLeadAd>;
  /** Simulates a customer who taps a button under a message of the account. */
  readonly tap: (tap: Omit<TapRequest, 'type'>) => Promise<SentEvent>;
  /** Sends the form that Meta signs for a person. With `deliver: false`, only returns it. */
  readonly sendSignedRequest: (request: SignedRequestRequest) => Promise<SentSignedRequest>;
  /** Changes the service's app or project at the network, see `settings` of its service. */
  readonly setSettings: (settings: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly shakeHands: (request?: HandshakeRequest) => Promise<HandshakeOutcome>;
};

export type SubmittedLeadAd = {
  readonly leadgenId: string;
  readonly responses: ReadonlyArray<{ readonly status: number | null }>;
  readonly delivery: Delivery;
};

export type SentSignedRequest = {
  readonly delivery: Delivery;
  /** Null if it was not sent. */
  readonly response: { readonly status: number | null; readonly body: unknown } | null;
};

/** A payment event. The sandbox signs it when it sends it. */
export type PaymentEvent = {
  readonly id: string;
  readonly type: string;
  /** The status of the service's response to each delivery, or null if there was none. */
  readonly statuses: readonly (number | null)[];
  readonly payload: string;
  readonly signature: string;
};

export type PaymentEventRequest = {
  readonly type: string;
  /** Overrides fields of the stored object with the same id. */
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

export type AiAnswer = {
  readonly contains: string;
  readonly action?: string;
  readonly reply?: string;
  readonly confidence?: number;
  readonly covered?: boolean;
  readonly times?: number;
};

export type PaymentDelivery = {
  readonly copies?: number;
  readonly reverseAfterMs?: number;
};

export type SandboxClient = {
  readonly reset: () => Promise<void>;
  readonly requests: (query?: RequestQuery) => Promise<readonly LoggedRequest[]>;
  readonly addFault: (fault: FaultRequest) => Promise<{ readonly id: string }>;
  readonly faults: () => Promise<readonly Fault[]>;
  readonly endFault: (id: string) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  /** Opens a WebSocket connection, or ends it as its client does. */
  readonly openConnection: (id: string) => Promise<void>;
  readonly endConnection: (id: string) => Promise<void>;
  /** Answers AI requests whose last user message contains a text. */
  readonly giveAiAnswer: (answer: AiAnswer) => Promise<{ readonly id: string }>;
  /** Replaces the valid API keys at a vendor, to rehearse a rotation. The others expire. */
  readonly setApiKeys: (vendor: 'stripe' | 'openai', keys: readonly string[]) => Promise<void>;
  /** Issues an ID token, as Google's sign-in button does. */
  readonly issueGoogleIdToken: (request: IdTokenRequest) => Promise<string>;
  readonly mails: (to?: string) => Promise<readonly SandboxMail[]>;
  /** Returns the payment provider's events, oldest first. */
  readonly paymentEvents: () => Promise<readonly PaymentEvent[]>;
  /** Sends an event from the payment provider. */
  readonly sendPaymentEvent: (event: PaymentEventRequest) => Promise<SentPaymentEvent>;
  /** Makes the payment provider deliver events repeatedly, or the newest first. */
  readonly setPaymentDelivery: (mode: PaymentDelivery) => Promise<void>;
  /** Moves the payment provider's clock forward and runs everything that becomes due. */
  readonly advancePaymentClock: (advanceDays: number) => Promise<void>;
  /** Sets the URL of the service that the networks send events to. */
  readonly setServiceUrl: (url: string) => Promise<void>;
  readonly network: (platform: Platform) => NetworkClient;
};

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/**
 * A client for the control API of the sandbox at `url`. Its calls throw with the sandbox's error
 * message if the sandbox rejects them.
 */
export function sandboxClient(url: string): SandboxClient {
  const call: Call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

    if (!response.ok) {
      throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
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
    openConnection: async (id) => {
      await call('PUT', `/live/connections/${encodeURIComponent(id)}`);
    },
    endConnection: async (id) => {
      await call('DELETE', `/live/connections/${encodeURIComponent(id)}`);
    },
    giveAiAnswer: (answer) => call('POST', '/openai/answers', answer),
    setApiKeys: async (vendor, keys) => {
      await call('PUT', `/${vendor}/keys`, { keys });
    },
    issueGoogleIdToken: async (request) =>
      (await call<{ idToken: string }>('POST', '/google/id-tokens', request)).idToken,
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
    setPaymentDelivery: async (mode) => {
      await call('PUT', '/stripe/delivery', mode);
    },
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
    issueBusinessToken: (request) =>
      call('POST', `${base}/tokens`, { ...request, purpose: 'messaging' }),
    revokeTokens: async (token) => {
      await call('DELETE', `${base}/tokens/${encodeURIComponent(token)}`);
    },
    posts: (userId) => list<SandboxPost>('posts', userId),
    makePost: (post) => call('POST', `${base}/posts`, post),
    editPost: async (postId, text) => {
      await call('PATCH', `${base}/posts/${encodeURIComponent(postId)}`, { text });
    },
    setDemographics: async (postId, demographics) => {
      await call('PUT', `${base}/posts/${encodeURIComponent(postId)}/demographics`, demographics);
    },
    setMetrics: async (postId, metrics) => {
      await call('PUT', `${base}/posts/${encodeURIComponent(postId)}/metrics`, metrics);
    },
    setAccount: async (userId, account) => {
      await call('PUT', `${base}/accounts/${encodeURIComponent(userId)}`, account);
    },
    setPerson: async (personId, person) => {
      await call('PUT', `${base}/people/${encodeURIComponent(personId)}`, person);
    },
    addPerson: (person) => call('POST', `${base}/people`, person),
    replies: (userId) => list<SandboxReply>('replies', userId),
    comments: (userId) => list<ShownComment>('comments', userId),
    subscriptions: (userId) => list<SandboxSubscription>('subscriptions', userId),
    sendEvent: (event) => call('POST', `${base}/events`, event),
    submitLeadAd: (request) => call('POST', `${base}/lead-ads`, request),
    tap: (tap) => call('POST', `${base}/events`, { ...tap, type: 'tap' }),
    sendSignedRequest: (request) => call('POST', `${base}/signed-requests`, request),
    setSettings: async (settings) => {
      await call('PUT', `${base}/settings`, settings);
    },
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
