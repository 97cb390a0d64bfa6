import type { AttachmentKind } from '#schemas/conversations.ts';
import type { Channel, ChoiceKind } from '#schemas/platforms.ts';
import type { PostSettings } from '#schemas/post-settings.ts';

/**
 * The lifecycle of a network's tokens:
 * - `ROTATING`: a refresh token works once and returns a new one. Reuse revokes all of them.
 * - `STATIC_REFRESH`: the refresh token is reusable, and the response may omit it.
 * - `EXTEND`: the access token itself is exchanged for a longer-lived one.
 * - `NONE`: there is nothing to refresh.
 */
export type TokenFamily = 'ROTATING' | 'STATIC_REFRESH' | 'EXTEND' | 'NONE';

/** An account's id at the network, and its decrypted token. */
export type Credentials = { readonly platformUserId: string; readonly accessToken: string };

export type CurrentTokens = {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
};

export type Tokens = {
  readonly accessToken: string;
  /** Absent if the previous one stays valid, or if there is none. */
  readonly refreshToken?: string;
  readonly expiresInSeconds?: number;
  readonly scopes?: readonly string[];
};

export type TokenFacts = {
  /** Every account that the token can act for. Must include the account's own id. */
  readonly platformUserIds: readonly string[];
  readonly scopes?: readonly string[];
  /** ISO 8601. Absent if the token never expires, or if the network does not report it. */
  readonly expiresAt?: string;
  /** The person who granted a page's token, if the network reports it. */
  readonly grantedById?: string;
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

/** An account's current metrics. `null` if the network does not report one. */
export type AccountMetrics = {
  readonly followers: number | null;
  readonly posts: number | null;
  readonly engagement: number | null;
  readonly reach: number | null;
  readonly clicks: number | null;
};

const metricNames = ['likes', 'comments', 'shares', 'clicks', 'reach', 'impressions'] as const;
export type MetricName = (typeof metricNames)[number];
/** A post's current metrics. `null` if the network does not report one. */
export type PostMetrics = Readonly<Record<MetricName, number | null>>;

/**
 * The number of posts that the network allows per `windowMs`, and the number used. Networks that
 * return no numbers report `open` or `usedUp`.
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
  /** The network lists the post, but only the account can see it. */
  readonly isPrivate?: boolean;
};

/** The viewers of a post, in percent. Keys are the network's names of age groups and genders. */
export type Demographics = {
  readonly ageGroups: Readonly<Record<string, number>>;
  readonly genders: Readonly<Record<string, number>>;
};

export type PostRange = {
  /** ISO 8601. */
  readonly since: string;
  readonly maxPosts: number;
};

/** The content to publish. The caller has checked that the text is within the network's limits. */
export type Publication = {
  readonly text: string;
  readonly mediaUrls: readonly string[];
  /** Details of the media in `mediaUrls`, in the same order. Absent if there are none. */
  readonly media?: readonly MediumDetails[];
  /** Settings of this network. Absent if the post has none. */
  readonly settings?: PostSettings;
  /** The image with the id `thumbnailMediaId` or `coverMediaId`. */
  readonly cover?: CoverImage;
  /** The account's own post that this one replies to: the previous part of a thread. */
  readonly replyTo?: string;
};

/** The URL is presigned. */
export type CoverImage = { readonly url: string; readonly contentType: string };

export type MediumDetails = {
  readonly altText?: string;
  /**
   * Set if this service stores the file. The URL is then presigned, on a domain that networks do
   * not know.
   */
  readonly stored?: { readonly bytes: number; readonly contentType: string };
};

/** The JSON state of an unfinished publication. Stored before the next step. */
export type Handle = Readonly<Record<string, unknown>>;

export type PreparationProgress =
  /** Everything is uploaded, and nothing is visible yet. `commit` may be called. */
  | { readonly state: 'ready'; readonly handle: Handle }
  /** The network is processing. Call `prepare` again with this handle. */
  | { readonly state: 'pending'; readonly handle: Handle; readonly retryAfterMs: number };

export type Published = {
  readonly state: 'published';
  readonly platformPostId: string;
  readonly url: string | null;
};

/**
 * The result of a commit. `processing`: accepted but not visible yet; `probe` returns the outcome.
 */
export type CommitOutcome =
  | Published
  | { readonly state: 'processing'; readonly handle: Handle; readonly retryAfterMs: number };

/**
 * The result of a probe:
 * - `absent`: the network does not list the post. Conclusive only after some time.
 * - `failed`: the network reports that it did not and will not publish the post.
 * - `lockedPrivate`: the network has the post, but only the account can see it.
 * - `unknown`: the outcome cannot be determined.
 */
export type ProbeOutcome =
  | Published
  | { readonly state: 'processing'; readonly retryAfterMs: number }
  | { readonly state: 'absent'; readonly reason: string }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'lockedPrivate'; readonly reason: string }
  | { readonly state: 'unknown' };

/** A response that is returned to the network unchanged. */
export type RawReply = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

export type ChallengeQuery = Readonly<Record<string, string | undefined>>;

/** Headers with lowercase names. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** A file of a message. The event contains its URL, or an id for requesting the URL. */
export type SentFile = {
  readonly kind: AttachmentKind;
  readonly url?: string;
  readonly mediaId?: string;
};

/** The URL of a file, with the headers that the network requires. */
export type FileLocation = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type LocatableFile = {
  readonly customerId: string;
  readonly messageId: string;
  readonly mediaId: string;
  readonly kind: AttachmentKind;
};

export type CustomerProfile = {
  readonly name: string;
  readonly username?: string;
  readonly avatarUrl?: string;
};

/** The person of an event. The name is empty if the event has none. */
export type Person = {
  readonly id: string;
  readonly name: string;
  readonly username?: string;
  readonly avatarUrl?: string;
};

export type NormalisedEvent = {
  /** The network's id of the event, the same in every delivery. */
  readonly eventId: string;
  readonly platformUserId: string;
  readonly type:
    | 'message'
    | 'comment'
    | 'mention'
    | 'post'
    | 'deauthorized'
    | 'publication'
    | 'leadAd';
  readonly channel: Channel;
  readonly from: Person;
  /** The recipient of an echoed private message. */
  readonly to?: Person | undefined;
  readonly text: string;
  /** The payload of a tapped button. Replaces the text if this service sent the button. */
  readonly tapped?: string;
  /** The network's id of the message or comment. Replies use it. */
  readonly messageId: string;
  readonly platformPostId?: string;
  /** The comment that this one replies to. */
  readonly parentId?: string;
  /** The author is the account: this service, or a person in the network's own app. */
  readonly isEcho: boolean;
  /** The tag that this service sent with the message, if the network returns it. */
  readonly echoTag?: string;
  /** The files of a private message. */
  readonly attachments?: readonly SentFile[];
  /** Set if the sender changed or withdrew the earlier message with the id `messageId`. */
  readonly action?: 'edit' | 'withdraw';
  /** The delivery lacks the author or the content. `completeEvent` fetches them. */
  readonly isIncomplete?: boolean;
  /** The number of an edit, if the network counts edits. The highest number wins. */
  readonly revision?: number;
  /** ISO 8601. */
  readonly occurredAt: string;
  /** For `publication`: the id from the handle, and the outcome. */
  readonly details?: Readonly<Record<string, unknown>>;
};

/** The values that a person entered into the form of a lead ad. */
export type LeadAd = {
  readonly adId?: string | undefined;
  readonly formId?: string | undefined;
  readonly answers: ReadonlyArray<{ readonly name: string; readonly values: readonly string[] }>;
};

export type DirectMessage = {
  readonly to: string;
  readonly text: string;
  readonly echoTag: string;
  /** Requires the capability `messageButtons`. */
  readonly buttons?: readonly MessageButton[];
};

/** A button opens a URL or sends a reply. */
export type MessageButton = { readonly label: string } & (
  | { readonly url: string }
  | { readonly reply: string }
);

export type FileMessage = {
  readonly to: string;
  readonly kind: MessageFileKind;
  /** The network fetches the file before it responds. */
  readonly url: string;
  readonly echoTag: string;
};

export type MessageFileKind = 'IMAGE' | 'VIDEO';

export type CommentReply = {
  readonly commentId: string;
  readonly platformPostId?: string | undefined;
  readonly text: string;
};

/** An action on a customer's comment. Repeating an action has no further effect. */
export type CommentAction = 'hide' | 'unhide' | 'like' | 'unlike' | 'delete';

export type CommentTarget = {
  readonly commentId: string;
  readonly platformPostId?: string | undefined;
};

export type PrivateReply = {
  readonly commentId: string;
  readonly text: string;
  readonly echoTag: string;
  /** Requires the capability `messageButtons`. */
  readonly buttons?: readonly MessageButton[];
};

/** A sent message or comment. `id` is the network's id. */
export type Sent = { readonly id: string };

/** A comment of the account on its own post. */
export type OwnComment = { readonly platformPostId: string; readonly text: string };

/** `unknown`: there were more comments than this reads. */
export type FoundComment =
  | { readonly state: 'found'; readonly id: string }
  | { readonly state: 'absent' }
  | { readonly state: 'unknown' };

/**
 * `withoutComments`: subscribed, but the network will not push comments, so the service must poll
 * them.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: most networks return nothing
export type SubscriptionOutcome = 'withoutComments' | undefined | void;

/*
 * The port to a network. Its parts load separately, one for each file in `ports`. Methods for
 * missing capabilities throw `capabilityMissing`.
 */

/** Validates and refreshes tokens of one kind. */
export type TokensApi = {
  /** @throws NetworkError `tokenInvalid` if the token is invalid. */
  readonly validateToken: (credentials: Credentials) => Promise<TokenFacts>;
  readonly refreshToken: (tokens: CurrentTokens) => Promise<Tokens>;
};

/** Validates and refreshes an account's own token, and lists the pages that it can act for. */
export type AccountTokensApi = TokensApi & {
  readonly listPages: (credentials: Credentials) => Promise<readonly NetworkPage[]>;
};

/** What a person consents to. `messaging`: a network's second kind of token. */
export type ConsentPurpose = 'publishing' | 'messaging';

export type ConsentRequest = {
  readonly redirectUri: string;
  readonly state: string;
  /** The S256 challenge in base64url. Sent only if the network uses PKCE. */
  readonly codeChallenge: string;
};

export type CodeExchange = {
  readonly code: string;
  /** Must equal the redirect URI of the consent request. */
  readonly redirectUri: string;
  readonly codeVerifier: string;
};

/** An account that the person may connect, and its tokens. */
export type ConsentChoice = {
  readonly platformUserId: string;
  readonly name: string;
  readonly kind: ChoiceKind;
  readonly avatarUrl: string | null;
  readonly tokens: Tokens;
};

/** Consent by OAuth: from the network's own page to the tokens of the person's accounts. */
export type OAuthApi = {
  readonly needsPkce: boolean;
  /** Returns the URL of the network's page. */
  readonly authorizationUrl: (request: ConsentRequest) => Promise<string>;
  /**
   * Returns the person's tokens with the granted scopes, which can be fewer than requested.
   *
   * @throws NetworkError `tokenInvalid` if the network rejects the code, the verifier or the
   *   redirect URI.
   */
  readonly exchangeCode: (exchange: CodeExchange) => Promise<Tokens>;
  /**
   * @throws NetworkError `scopeMissing` if the person didn't grant a scope that the list requires.
   */
  readonly listChoices: (tokens: Tokens) => Promise<readonly ConsentChoice[]>;
};

/** Publishes posts, and reports quotas and options in advance. */
export type PublishingApi = {
  /** Absent if the network reports no quota in advance. */
  readonly fetchPublishingQuota?: (credentials: Credentials) => Promise<PublishingQuota>;
  /**
   * Returns the reason why the network would reject the settings now. Absent if the network reports
   * no options.
   */
  readonly findSettingsProblem?: (
    credentials: Credentials,
    settings: PostSettings,
  ) => Promise<string | undefined>;
  /** Runs all steps that leave nothing visible. Continues from a handle if there is one. */
  readonly prepare: (
    credentials: Credentials,
    publication: Publication,
    handle?: Handle,
  ) => Promise<PreparationProgress>;
  /** Makes the post visible. Sent once and never retried automatically. */
  readonly commit: (
    credentials: Credentials,
    publication: Publication,
    handle: Handle,
  ) => Promise<CommitOutcome>;
  /** Finds the outcome of a commit without a response that was sent at `since` or later. */
  readonly probe: (
    credentials: Credentials,
    publication: Publication,
    handle: Handle,
    since: string,
  ) => Promise<ProbeOutcome>;
  readonly deletePost: (credentials: Credentials, platformPostId: string) => Promise<void>;
};

/** Comments of the account on its own posts. Absent on networks without `firstComment`. */
export type OwnCommentsApi = {
  /** Sent once and never retried automatically. */
  readonly commentOnPost: (credentials: Credentials, comment: OwnComment) => Promise<Sent>;
  /** Finds a comment whose sending got no response. */
  readonly findOwnComment: (credentials: Credentials, comment: OwnComment) => Promise<FoundComment>;
};

/** Metrics of accounts and posts. */
export type MetricsApi = {
  readonly fetchAccountMetrics: (credentials: Credentials) => Promise<AccountMetrics>;
  /**
   * Returns the account's own posts, newest first. Without `range`, returns one page; with it, as
   * many pages as the range needs. The last page can contain posts from before the range.
   */
  readonly listRecentPosts: (
    credentials: Credentials,
    range?: PostRange,
  ) => Promise<readonly RecentPost[]>;
  /**
   * Returns metrics in the order of the ids. `undefined` for posts that the network does not know.
   */
  readonly fetchPostMetrics: (
    credentials: Credentials,
    platformPostIds: readonly string[],
  ) => Promise<ReadonlyArray<PostMetrics | undefined>>;
  /** Absent if the network does not report the viewers of a post. */
  readonly fetchDemographics?: (
    credentials: Credentials,
    platformPostId: string,
  ) => Promise<Demographics>;
};

/** Subscriptions to an account's events. */
export type SubscriptionsApi = {
  /** Subscribes `callbackUrl` to the account's events. */
  readonly subscribe: (
    credentials: Credentials,
    callbackUrl: string,
  ) => Promise<SubscriptionOutcome>;
  readonly unsubscribe: (credentials: Credentials) => Promise<void>;
};

/** Webhook deliveries from networks. */
export type EventsApi = {
  /** Answers the network's handshake. Returns `undefined` if the request is not a handshake. */
  readonly answerChallenge: (query: ChallengeQuery) => Promise<RawReply | undefined>;
  readonly verifySignature: (rawBody: Buffer, headers: Headers) => Promise<boolean>;
  /** Parses a delivery with a valid signature. @throws SyntaxError if it is not a delivery. */
  readonly parseEvents: (rawBody: Buffer) => readonly NormalisedEvent[];
};

/** Fetches data that events omit, and comments that networks do not push. */
export type LookupsApi = {
  /**
   * Fetches an incomplete event. Returns `undefined` if its subject does not exist, or does not
   * exist yet. Absent if deliveries are always complete.
   */
  readonly completeEvent?: (
    credentials: Credentials,
    event: NormalisedEvent,
  ) => Promise<NormalisedEvent | undefined>;
  /**
   * Returns comments since `since` (ISO 8601), oldest first, for networks that do not push them.
   * `beforeCall` runs before each call, and aborts the fetch by throwing.
   */
  readonly fetchComments: (
    credentials: Credentials,
    since: string,
    beforeCall?: () => Promise<void>,
  ) => Promise<readonly NormalisedEvent[]>;
  /**
   * Returns the location of a file whose event contains only its id. Absent if all files have URLs.
   */
  readonly locateFile?: (credentials: Credentials, file: LocatableFile) => Promise<FileLocation>;
  /** Looks up the author of a private message. Absent if events always contain the name. */
  readonly fetchProfile?: (
    credentials: Credentials,
    customerId: string,
  ) => Promise<CustomerProfile>;
  /** Fetches a form whose event contains only its id. Absent if the network has no lead ads. */
  readonly fetchLeadAd?: (credentials: Credentials, leadAdId: string) => Promise<LeadAd>;
  /**
   * Returns the ids of a person for single accounts, given the id that the app knows. Absent if
   * they are the same.
   */
  readonly listScopedIds?: (personId: string) => Promise<readonly string[]>;
};

/** Messages and replies to customers. */
export type MessagesApi = {
  readonly sendDirectMessage: (credentials: Credentials, message: DirectMessage) => Promise<Sent>;
  /** Absent if `messageFileProblem` rejects all files of the network. */
  readonly sendFile?: (credentials: Credentials, message: FileMessage) => Promise<Sent>;
  readonly replyToComment: (credentials: Credentials, reply: CommentReply) => Promise<Sent>;
  readonly privateReply: (credentials: Credentials, reply: PrivateReply) => Promise<Sent>;
};

/** Actions on customers' comments. */
export type CommentActionsApi = {
  /**
   * Acts on a customer's comment as the account. Requires the capability of the action.
   *
   * @throws NetworkError `notFound` if the comment no longer exists.
   */
  readonly actOnComment: (
    credentials: Credentials,
    action: CommentAction,
    target: CommentTarget,
  ) => Promise<void>;
};
