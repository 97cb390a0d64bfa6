import type { Channel, Platform } from '#schemas/platforms.ts';

/**
 * How a network's tokens live:
 * - `ROTATING`: a refresh token works once and comes back new; used twice, the family dies.
 * - `STATIC_REFRESH`: the refresh token stays, and may be missing in the answer.
 * - `EXTEND`: the access token itself is exchanged for a longer-lived one.
 * - `NONE`: nothing to refresh.
 */
export type TokenFamily = 'ROTATING' | 'STATIC_REFRESH' | 'EXTEND' | 'NONE';

/** Who speaks to the network: an account's id there, and its token in clear. */
export type Credentials = { readonly platformUserId: string; readonly accessToken: string };

export type Tokens = {
  readonly accessToken: string;
  /** Absent: the one that was used stays valid, or there is none. */
  readonly refreshToken?: string;
  readonly expiresInSeconds?: number;
  readonly scopes?: readonly string[];
};

/** What a network says of a token that it accepts. */
export type TokenFacts = {
  /** Every account that the token may act for: the account's own id must be among them. */
  readonly platformUserIds: readonly string[];
  readonly scopes?: readonly string[];
  /** ISO 8601; absent where the network does not say, or it never ends. */
  readonly expiresAt?: string;
};

/** A page, channel or organization that the token can act for. */
export type NetworkPage = {
  readonly platformPageId: string;
  readonly name: string;
  readonly category: string | null;
  readonly url: string | null;
  readonly isActive: boolean;
  readonly followersCount: number | null;
  readonly lastPostDate: string | null;
};

/** Figures of an account as they are now; `null` where the network does not tell. */
export type AccountFigures = {
  readonly followers: number | null;
  readonly posts: number | null;
  readonly engagement: number | null;
  readonly reach: number | null;
  readonly clicks: number | null;
};

const metricNames = ['likes', 'comments', 'shares', 'clicks', 'reach', 'impressions'] as const;
export type MetricName = (typeof metricNames)[number];
/** Figures of a post as they are now; `null` where the network has none. */
export type PostMetrics = Readonly<Record<MetricName, number | null>>;

/**
 * How many posts the network takes of an account within the last `windowMs`, and how many of them
 * there are. `open` and `usedUp`: a network that does not tell numbers takes more, or none.
 */
export type PublishingQuota =
  | { readonly used: number; readonly total: number; readonly windowMs: number }
  | 'open'
  | 'usedUp';

export type RecentPost = {
  readonly platformPostId: string;
  readonly text: string;
  /** ISO 8601. */
  readonly publishedAt: string;
  readonly url: string | null;
};

/** What is to be published. Text is within the network's limits when it comes here. */
export type Publication = {
  readonly text: string;
  readonly mediaUrls: readonly string[];
};

/** An open step of a publication at the network, JSON: kept before the next step is taken. */
export type Handle = Readonly<Record<string, unknown>>;

/** Where a publication stands. */
export type Progress =
  /** All is there and nothing is visible: `commit` may be called. */
  | { readonly state: 'ready'; readonly handle: Handle }
  /** The network is at work: ask again with this handle. */
  | { readonly state: 'pending'; readonly handle: Handle; readonly retryAfterMs: number };

export type Published = {
  readonly state: 'published';
  readonly platformPostId: string;
  readonly url: string | null;
};

/** What became of a commit. `processing`: accepted and not visible yet; `probe` tells the end. */
export type CommitOutcome =
  | Published
  | { readonly state: 'processing'; readonly handle: Handle; readonly retryAfterMs: number };

/**
 * What the network says afterwards. `absent`: it does not show it where it would stand, which proves
 * something with time alone. `failed`: it says itself that it has not published it, and never will.
 * `unknown`: it cannot be told.
 */
export type ProbeOutcome =
  | Published
  | { readonly state: 'processing'; readonly retryAfterMs: number }
  | { readonly state: 'absent'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'unknown' };

/** An answer that goes back to the network as it is. */
export type RawReply = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

/** Headers in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

export type NormalisedEvent = {
  /** The network's own id of the event, the same in each delivery. */
  readonly eventId: string;
  /** Whose account it is about, at the network. */
  readonly platformUserId: string;
  readonly type: 'message' | 'comment' | 'mention' | 'post' | 'deauthorized' | 'publication';
  readonly channel: Channel;
  readonly from: { readonly id: string; readonly name: string };
  /** The customer that an echo of a private message went to; `undefined` for all else. */
  readonly to: { readonly id: string; readonly name: string } | undefined;
  readonly text: string;
  /** The network's id of the message or comment: what an answer refers to. */
  readonly messageId: string;
  /** The post that was commented on or written. */
  readonly platformPostId?: string;
  /** The comment that this one answers. */
  readonly parentId?: string;
  /** The account itself is the author: a message of ours, or of a person at its own app. */
  readonly isEcho: boolean;
  /** What we had sent with the message, where the network gives it back. */
  readonly echoTag?: string;
  /** ISO 8601. */
  readonly occurredAt: string;
  /** For `publication`: the handle's id and what became of it. */
  readonly details?: Readonly<Record<string, unknown>>;
};

/** What was sent; `id` is the network's. */
export type Sent = { readonly id: string };

/** One network. Calls that its capabilities exclude throw `capabilityMissing` and send nothing. */
export type Network = {
  readonly platform: Platform;
  readonly tokenFamily: TokenFamily;

  /** @throws NetworkError `tokenInvalid` for a token that is dead. */
  readonly validateToken: (credentials: Credentials) => Promise<TokenFacts>;
  readonly refreshToken: (tokens: {
    readonly accessToken: string;
    readonly refreshToken?: string | undefined;
  }) => Promise<Tokens>;
  readonly listPages: (credentials: Credentials) => Promise<readonly NetworkPage[]>;
  readonly fetchAccountFigures: (credentials: Credentials) => Promise<AccountFigures>;
  /** The account's latest posts, newest first. */
  readonly listRecentPosts: (credentials: Credentials) => Promise<readonly RecentPost[]>;

  /** Absent where the network tells of none before a post is sent. */
  readonly fetchPublishingQuota?: (credentials: Credentials) => Promise<PublishingQuota>;
  /** Everything that can be done before anything is visible. Given a handle, goes on from there. */
  readonly prepare: (
    credentials: Credentials,
    publication: Publication,
    handle?: Handle,
  ) => Promise<Progress>;
  /** The one call that makes it visible; sent once, and never again by itself. */
  readonly commit: (
    credentials: Credentials,
    publication: Publication,
    handle: Handle,
  ) => Promise<CommitOutcome>;
  /** Looks what became of a commit of `since` or later whose answer is not known. */
  readonly probe: (
    credentials: Credentials,
    publication: Publication,
    handle: Handle,
    since: string,
  ) => Promise<ProbeOutcome>;
  readonly deletePost: (credentials: Credentials, platformPostId: string) => Promise<void>;
  /** In the order of the ids; `undefined` for one that the network does not know. */
  readonly fetchPostMetrics: (
    credentials: Credentials,
    platformPostIds: readonly string[],
  ) => Promise<ReadonlyArray<PostMetrics | undefined>>;

  /** Makes the network send the account's events to `callbackUrl`. */
  readonly subscribe: (credentials: Credentials, callbackUrl: string) => Promise<void>;
  readonly unsubscribe: (credentials: Credentials) => Promise<void>;
  /** The network's handshake on the callback; `undefined` for a request that is none. */
  readonly answerChallenge: (
    query: Readonly<Record<string, string | undefined>>,
  ) => Promise<RawReply | undefined>;
  readonly verifySignature: (rawBody: Buffer, headers: Headers) => Promise<boolean>;
  /** The events of a delivery whose signature was right. @throws SyntaxError for what is none. */
  readonly parseEvents: (rawBody: Buffer) => readonly NormalisedEvent[];
  /**
   * Fetches what a delivery leaves out of an event, and gives back one that is whole as it is;
   * `undefined` where it is about something that is gone. Absent: deliveries are whole.
   */
  readonly completeEvent?: (
    credentials: Credentials,
    event: NormalisedEvent,
  ) => Promise<NormalisedEvent | undefined>;
  /**
   * Comments of `since` (ISO 8601) or later, for networks that do not push them, oldest first.
   * `beforeCall` comes before each call that this takes; what it throws ends the look.
   */
  readonly fetchComments: (
    credentials: Credentials,
    since: string,
    beforeCall?: () => Promise<void>,
  ) => Promise<readonly NormalisedEvent[]>;

  readonly sendDirectMessage: (
    credentials: Credentials,
    message: { readonly to: string; readonly text: string; readonly echoTag: string },
  ) => Promise<Sent>;
  readonly replyToComment: (
    credentials: Credentials,
    reply: {
      readonly commentId: string;
      readonly platformPostId?: string | undefined;
      readonly text: string;
    },
  ) => Promise<Sent>;
  readonly privateReply: (
    credentials: Credentials,
    reply: { readonly commentId: string; readonly text: string; readonly echoTag: string },
  ) => Promise<Sent>;
};
