import { randomInt } from 'node:crypto';
import * as z from 'zod';
import type { ServiceContext } from '../../frame/service.ts';
import type { Platform } from '../../platforms.ts';
import { fromSecrets } from '../secret-document.ts';
import type { MediumDetails } from './medium-details.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createTokenStore, type TokenRules, type TokenStore } from './token-store.ts';

export type Person = { readonly id: string; readonly name: string };

/** An account, page, channel or organization at the network. */
export type SandboxAccount = {
  readonly id: string;
  readonly name: string;
  readonly followers: number;
  readonly avatarUrl?: string;
};

/** A published post. Deleted posts are not kept. */
export type SandboxPost = {
  readonly id: string;
  readonly userId: string;
  readonly text: string;
  readonly media: readonly string[];
  /** In the order of the media. */
  readonly mediaDetails: readonly MediumDetails[];
  readonly url: string | null;
  /** The account's own post that it replies to: the previous part of a thread. */
  readonly inReplyTo: string | null;
  /** The publication time, ISO 8601. */
  readonly at: string;
  /** The settings of the post besides text and media, by the network's names. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Keys: likes, comments, shares, clicks, reach, impressions. */
  readonly metrics: Readonly<Record<string, number>>;
};

/** The viewers of a post, in percent by age group and gender. */
export type SandboxDemographics = {
  readonly ageGroups: Readonly<Record<string, number>>;
  readonly genders: Readonly<Record<string, number>>;
};

/** An upload or a container, with the network's own state. */
export type SandboxMedia = {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly state: string;
  readonly at: string;
  /** How often its state was read. */
  readonly polls: number;
  /** Network-specific input and results. */
  readonly details: Readonly<Record<string, unknown>>;
};

export type SandboxComment = {
  readonly id: string;
  /** The account that owns the post. */
  readonly userId: string;
  readonly postId: string;
  readonly parentId: string | null;
  readonly from: Person;
  readonly text: string;
  readonly at: string;
  /** True after a private reply to it. */
  readonly isAnsweredPrivately: boolean;
  /** True if the account hid it. */
  readonly isHidden?: boolean;
  /** True if the account liked it. */
  readonly isLiked?: boolean;
  /** The post that this one reposts or quotes. */
  readonly repostOf?: string | undefined;
  readonly quoteOf?: string | undefined;
};

export type SandboxMessage = {
  readonly id: string;
  readonly userId: string;
  readonly customer: Person;
  readonly direction: 'in' | 'out';
  readonly text: string;
  readonly at: string;
  /** The tag that the service set on the message. */
  readonly tag: string | null;
  /** True if it was sent through the API, not in the network's own app. */
  readonly isFromService: boolean;
  /** How often it was edited. */
  readonly edits?: number;
};

/** A message or a reply to a comment that the service sent. */
export type SandboxReply = {
  readonly id: string;
  readonly at: string;
  readonly kind: 'message' | 'comment';
  readonly userId: string;
  readonly to: string;
  readonly inReplyTo: string | null;
  readonly text: string;
  /** The files that the service sent. */
  readonly attachments: ReadonlyArray<{
    readonly kind: string;
    readonly url: string;
    /** Present if the sandbox fetched the file. */
    readonly bytes?: number;
    readonly sha256?: string;
  }>;
  /** The buttons under a message. */
  readonly buttons: readonly SandboxButton[];
};

/** A button opens a URL or sends a reply. The other one is null. */
export type SandboxButton = {
  readonly label: string;
  readonly url: string | null;
  readonly reply: string | null;
};

/**
 * The profile that the network returns for a person. If the name is null, the request is rejected.
 */
export type SandboxProfile = {
  readonly name: string | null;
  readonly username?: string | undefined;
  readonly avatarUrl?: string | undefined;
};

/** A file of a customer's message. */
export type SandboxFile = {
  readonly url: string;
  readonly contentType: string;
  readonly bytes: number;
};

export type SandboxSubscription = {
  readonly userId: string;
  readonly fields: readonly string[];
  /** Null if the callback URL belongs to the app. */
  readonly callbackUrl: string | null;
  readonly at: string;
};

const credentials = {
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string().optional(),
};
const appSchema = z.object({
  ...credentials,
  appId: z.string().optional(),
  /** The app of TikTok's Business API. */
  business: z.object(credentials).optional(),
  verifyToken: z.string().optional(),
  appToken: z.string().optional(),
});

/** The service's app as registered at the network. */
export type RegisteredApp = z.output<typeof appSchema>;

/** The state of a network. */
export type NetworkWorld = {
  readonly platform: Platform;
  readonly clock: () => Date;
  readonly serviceUrl: () => string | undefined;
  readonly app: RegisteredApp;
  readonly tokens: TokenStore;
  readonly rates: RateLimiter;
  readonly accounts: Map<string, SandboxAccount>;
  readonly posts: Map<string, SandboxPost>;
  readonly media: Map<string, SandboxMedia>;
  readonly comments: Map<string, SandboxComment>;
  /** Deleted comments, which the network no longer returns. */
  readonly deletedComments: Map<string, SandboxComment>;
  readonly messages: Map<string, SandboxMessage>;
  readonly replies: Map<string, SandboxReply>;
  readonly subscriptions: Map<string, SandboxSubscription>;
  readonly people: Map<string, SandboxProfile>;
  readonly files: Map<string, SandboxFile>;
  /** By post id. */
  readonly demographics: Map<string, SandboxDemographics>;
};

const defaultFollowers = 1_000;

/** Creates an empty world. */
export function createNetworkWorld(
  platform: Platform,
  rules: TokenRules,
  context: ServiceContext,
): NetworkWorld {
  const { clock, serviceUrl, secrets } = context;

  return {
    platform,
    clock,
    serviceUrl,
    app: appOf(platform, secrets),
    tokens: createTokenStore(rules, clock),
    rates: createRateLimiter(clock),
    accounts: new Map(),
    posts: new Map(),
    media: new Map(),
    comments: new Map(),
    deletedComments: new Map(),
    messages: new Map(),
    replies: new Map(),
    subscriptions: new Map(),
    people: new Map(),
    files: new Map(),
    demographics: new Map(),
  };
}

/** Returns the app from the service's secret document, or a default app if there is none. */
function appOf(platform: Platform, secrets: Readonly<Record<string, string>>): RegisteredApp {
  const documents = z.object({ networks: z.object({ [platform]: appSchema }) });
  const name = platform.toLowerCase();

  return (
    fromSecrets(secrets, documents)?.networks[platform] ?? {
      clientId: `sandbox-${name}-app`,
      clientSecret: `sandbox-${name}-secret`,
      appId: '86400001',
    }
  );
}

/** Returns the account with an id. Creates it on first use. */
export function accountOf(world: NetworkWorld, id: string, name?: string): SandboxAccount {
  const known = world.accounts.get(id);
  const account = {
    ...known,
    id,
    name: name ?? known?.name ?? `Account ${id}`,
    followers: known?.followers ?? defaultFollowers,
  };
  world.accounts.set(id, account);

  return account;
}

/** Creates a numeric id without a leading zero. */
export function numericId(length = 17): string {
  const digits = Array.from({ length: length - 1 }, () => randomInt(10));

  return [randomInt(1, 10), ...digits].join('');
}

/** Returns the sandbox's time, ISO 8601. */
export function isoNow(world: Pick<NetworkWorld, 'clock'>): string {
  return world.clock().toISOString();
}

/** Publishes a post, now by default. */
export function addPost(
  world: NetworkWorld,
  post: Pick<SandboxPost, 'id' | 'userId' | 'text' | 'media' | 'url'> & {
    readonly at?: string;
    readonly mediaDetails?: readonly MediumDetails[];
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly inReplyTo?: string;
  },
): SandboxPost {
  const added = { at: isoNow(world), mediaDetails: [], inReplyTo: null, ...post, metrics: {} };
  world.posts.set(post.id, added);

  return added;
}

/** Returns an account's posts, newest first. */
export function postsOf(world: NetworkWorld, userId: string): readonly SandboxPost[] {
  return [...world.posts.values()]
    .filter((post) => post.userId === userId)
    .reverse()
    .sort((one, other) => other.at.localeCompare(one.at));
}

/** Returns a metric that was set through the control API, or 0. */
export function metricOf(post: SandboxPost, name: string): number {
  return post.metrics[name] ?? 0;
}

/** Records a message from the service to a customer. */
export function addSentMessage(
  world: NetworkWorld,
  message: {
    readonly id: string;
    readonly userId: string;
    readonly customer: Person;
    readonly text: string;
    readonly tag: string | null;
    /** The comment that a private reply answers. */
    readonly inReplyTo?: string;
    readonly attachments?: SandboxReply['attachments'];
    readonly buttons?: SandboxReply['buttons'];
  },
): void {
  const { id, userId, customer, text, tag, inReplyTo = null } = message;
  const { attachments = [], buttons = [] } = message;
  const at = isoNow(world);
  world.messages.set(id, {
    id,
    userId,
    customer,
    text,
    tag,
    at,
    direction: 'out',
    isFromService: true,
  });
  world.replies.set(id, {
    id,
    at,
    kind: 'message',
    userId,
    to: customer.id,
    inReplyTo,
    text,
    attachments,
    buttons,
  });
}

/**
 * Adds a comment of a customer, or with `echo` of the account itself. It belongs to the given post
 * or to the account's newest one. Returns the existing comment if the id is known.
 */
export function addComment(
  world: NetworkWorld,
  event: {
    readonly userId: string;
    readonly text: string;
    readonly from: Person;
    readonly echo: boolean;
    readonly postId?: string | undefined;
    readonly eventId?: string | undefined;
    readonly at?: string;
  },
  newId: { readonly post: () => string; readonly comment: (postId: string) => string },
): SandboxComment {
  const { userId, text, from, echo } = event;
  const postId = event.postId ?? postsOf(world, userId)[0]?.id ?? newId.post();
  const id = event.eventId ?? newId.comment(postId);
  const comment = world.comments.get(id) ?? {
    id,
    userId,
    postId,
    parentId: null,
    from: echo ? { id: userId, name: accountOf(world, userId).name } : from,
    text,
    at: event.at ?? isoNow(world),
    isAnsweredPrivately: false,
  };
  world.comments.set(id, comment);

  return comment;
}

/** Records a comment of the service on the account's own post. */
export function addOwnComment(
  world: NetworkWorld,
  comment: {
    readonly id: string;
    readonly userId: string;
    readonly postId: string;
    readonly text: string;
  },
): void {
  const { id, userId, postId, text } = comment;
  const at = isoNow(world);
  const from = { id: userId, name: accountOf(world, userId).name };
  world.comments.set(id, {
    id,
    userId,
    postId,
    parentId: null,
    from,
    text,
    at,
    isAnsweredPrivately: false,
  });
  world.replies.set(id, {
    id,
    at,
    kind: 'comment',
    userId,
    to: userId,
    inReplyTo: postId,
    text,
    attachments: [],
    buttons: [],
  });
}

/** Returns the top-level comments on a post, newest first. */
export function commentsOn(world: NetworkWorld, postId: string): readonly SandboxComment[] {
  return [...world.comments.values()]
    .filter((one) => one.postId === postId && one.parentId === null)
    .reverse();
}

/** Hides or likes a comment, or undoes it. */
export function markComment(
  world: NetworkWorld,
  comment: SandboxComment,
  marks: Pick<SandboxComment, 'isHidden' | 'isLiked'>,
): void {
  world.comments.set(comment.id, { ...comment, ...marks });
}

export function deleteComment(world: NetworkWorld, comment: SandboxComment): void {
  world.comments.delete(comment.id);
  world.deletedComments.set(comment.id, comment);
}

/** The fields of a comment in the control API. */
export type ShownComment = Pick<
  SandboxComment,
  'id' | 'postId' | 'parentId' | 'from' | 'text' | 'at'
> & {
  /** True if the account wrote it. */
  readonly isOwn: boolean;
  readonly isHidden: boolean;
  readonly isLiked: boolean;
  readonly isDeleted: boolean;
};

/** Returns all comments under the account's posts, oldest first, with its own and deleted ones. */
export function commentsUnder(world: NetworkWorld, userId: string | null): readonly ShownComment[] {
  return [...world.comments.values(), ...world.deletedComments.values()]
    .filter((one) => userId === null || one.userId === userId)
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map((one) => ({
      id: one.id,
      postId: one.postId,
      parentId: one.parentId,
      from: one.from,
      isOwn: one.from.id === one.userId,
      text: one.text,
      at: one.at,
      isHidden: one.isHidden ?? false,
      isLiked: one.isLiked ?? false,
      isDeleted: world.deletedComments.has(one.id),
    }));
}

/** Records the service's public reply to a comment. */
export function addCommentReply(
  world: NetworkWorld,
  reply: {
    readonly id: string;
    readonly userId: string;
    readonly comment: Pick<SandboxComment, 'id' | 'postId' | 'from'>;
    readonly text: string;
  },
): void {
  const { id, userId, comment, text } = reply;
  const at = isoNow(world);
  world.comments.set(id, {
    id,
    userId,
    postId: comment.postId,
    parentId: comment.id,
    from: { id: userId, name: accountOf(world, userId).name },
    text,
    at,
    isAnsweredPrivately: false,
  });
  world.replies.set(id, {
    id,
    at,
    kind: 'comment',
    userId,
    to: comment.from.id,
    inReplyTo: comment.id,
    text,
    attachments: [],
    buttons: [],
  });
}

/**
 * Returns the profile of a person who wrote to the account: the configured one, or the name in
 * their events. Undefined if the network rejects the request.
 */
export function profileOf(
  world: NetworkWorld,
  userId: string,
  personId: string,
): (SandboxProfile & { readonly name: string }) | undefined {
  const writer = [...world.messages.values()].findLast(
    (one) => one.userId === userId && one.customer.id === personId,
  );
  const { name, ...profile } = world.people.get(personId) ?? {
    name: writer?.customer.name ?? null,
  };

  return writer === undefined || name === null ? undefined : { ...profile, name };
}

/** Returns the time of the customer's last message, which opens the reply window. */
export function lastMessageFrom(
  world: NetworkWorld,
  userId: string,
  customerId: string,
): Date | undefined {
  const last = [...world.messages.values()].findLast(
    (one) => one.userId === userId && one.customer.id === customerId && one.direction === 'in',
  );

  return last === undefined ? undefined : new Date(last.at);
}
