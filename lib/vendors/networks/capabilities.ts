import { type ApiError, apiError } from '#lib/platform/errors/failures.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { CommentAction, TokenFamily } from './network.ts';

/** Optional features of a network. All networks support publishing and metrics. */
const capabilityNames = [
  'textOnlyPost',
  'mixedMedia',
  'editPublished',
  'deletePost',
  'directMessage',
  'commentReply',
  'postReply',
  'privateReply',
  'commentEvents',
  'messageEvents',
  'tokenRefresh',
  'webhookSubscription',
  'firstComment',
  'thread',
  'hideComment',
  'deleteComment',
  'likeComment',
  'messageButtons',
] as const;
export type Capability = (typeof capabilityNames)[number];

export type Capabilities = {
  readonly supports: Readonly<Record<Capability, boolean>>;
  /** The maximum length of a post, as counted by `postLength`. */
  readonly maxPostLength: number;
  /** The maximum length of a reply to a comment, as counted by `replyLength`. */
  readonly maxCommentLength: number;
  /** The maximum length of a message, as counted by `replyLength`. null: no messages. */
  readonly maxMessageLength: number | null;
  /** Hashtags in a post. null: no limit. Checked by `textProblem`, like the lengths. */
  readonly maxHashtags: number | null;
  readonly maxMentions: number | null;
  readonly maxMedia: number;
  readonly media: ReadonlyArray<'image' | 'video'>;
  /** How long after a customer's message the service may send a message. null: no limit. */
  readonly replyWindowHours: number | null;
  /** How long after a comment a private reply may be sent. null: no private replies. */
  readonly privateReplyWindowHours: number | null;
  readonly pollsComments: boolean;
  /** Messages and comments need a second token, from a separate app. */
  readonly needsBusinessToken: boolean;
};

function allExcept(...missing: readonly Capability[]): Capabilities['supports'] {
  const supports = capabilityNames.map((name) => [name, !missing.includes(name)]);

  return Object.fromEntries(supports);
}

/** The single source of the networks' capabilities. Endpoints read from it too. */
export const capabilities: Readonly<Record<Platform, Capabilities>> = {
  FACEBOOK: {
    supports: allExcept('mixedMedia', 'tokenRefresh', 'thread'),
    maxPostLength: 63_206,
    maxCommentLength: 2_000,
    maxMessageLength: 2_000,
    maxHashtags: null,
    maxMentions: null,
    maxMedia: 10,
    media: ['image', 'video'],
    replyWindowHours: 24,
    privateReplyWindowHours: 168,
    pollsComments: false,
    needsBusinessToken: false,
  },
  INSTAGRAM: {
    supports: allExcept(
      'textOnlyPost',
      'editPublished',
      'deletePost',
      'postReply',
      'thread',
      'likeComment',
    ),
    maxPostLength: 2_200,
    maxCommentLength: 1_000,
    maxMessageLength: 1_000,
    maxHashtags: 30,
    maxMentions: 20,
    maxMedia: 10,
    media: ['image', 'video'],
    replyWindowHours: 24,
    privateReplyWindowHours: 168,
    pollsComments: false,
    needsBusinessToken: false,
  },
  TIKTOK: {
    supports: allExcept(
      'textOnlyPost',
      'mixedMedia',
      'editPublished',
      'deletePost',
      'postReply',
      'privateReply',
      'firstComment',
      'thread',
      'messageButtons',
    ),
    maxPostLength: 2_200,
    maxCommentLength: 1_200,
    maxMessageLength: 6_000,
    maxHashtags: null,
    maxMentions: null,
    maxMedia: 35,
    media: ['image', 'video'],
    replyWindowHours: 48,
    privateReplyWindowHours: null,
    pollsComments: false,
    needsBusinessToken: true,
  },
  TWITTER: {
    supports: allExcept(
      'mixedMedia',
      'editPublished',
      'privateReply',
      'firstComment',
      'deleteComment',
      'likeComment',
      'messageButtons',
    ),
    maxPostLength: 280,
    maxCommentLength: 280,
    maxMessageLength: 10_000,
    maxHashtags: null,
    maxMentions: null,
    maxMedia: 4,
    media: ['image', 'video'],
    replyWindowHours: null,
    privateReplyWindowHours: null,
    pollsComments: false,
    needsBusinessToken: false,
  },
  LINKEDIN: {
    supports: allExcept(
      'mixedMedia',
      'directMessage',
      'privateReply',
      'messageEvents',
      'thread',
      'hideComment',
      'messageButtons',
    ),
    maxPostLength: 3_000,
    maxCommentLength: 1_250,
    maxMessageLength: null,
    maxHashtags: null,
    maxMentions: null,
    maxMedia: 20,
    media: ['image', 'video'],
    replyWindowHours: null,
    privateReplyWindowHours: null,
    pollsComments: true,
    needsBusinessToken: false,
  },
  YOUTUBE: {
    supports: allExcept(
      'textOnlyPost',
      'mixedMedia',
      'directMessage',
      'postReply',
      'privateReply',
      'commentEvents',
      'messageEvents',
      'thread',
      'likeComment',
      'messageButtons',
    ),
    maxPostLength: 5_000,
    maxCommentLength: 10_000,
    maxMessageLength: null,
    maxHashtags: 60,
    maxMentions: null,
    maxMedia: 1,
    media: ['video'],
    replyWindowHours: null,
    privateReplyWindowHours: null,
    pollsComments: true,
    needsBusinessToken: false,
  },
};

/** How tokens of a network are renewed. */
export const tokenFamilies: Readonly<Record<Platform, TokenFamily>> = {
  // A page token derived from a long-lived user token does not expire and cannot be refreshed.
  FACEBOOK: 'NONE',
  INSTAGRAM: 'EXTEND',
  TIKTOK: 'ROTATING',
  TWITTER: 'ROTATING',
  LINKEDIN: 'STATIC_REFRESH',
  YOUTUBE: 'STATIC_REFRESH',
};

export const platformNames: Readonly<Record<Platform, string>> = {
  FACEBOOK: 'Facebook',
  INSTAGRAM: 'Instagram',
  TIKTOK: 'TikTok',
  TWITTER: 'X',
  LINKEDIN: 'LinkedIn',
  YOUTUBE: 'YouTube',
};

export function capabilityMissing(platform: Platform, capability: Capability): ApiError {
  return apiError('CAPABILITY_UNSUPPORTED', `${platform} does not support ${capability}`);
}

const commentCapabilities: Readonly<Record<CommentAction, Capability>> = {
  hide: 'hideComment',
  unhide: 'hideComment',
  like: 'likeComment',
  unlike: 'likeComment',
  delete: 'deleteComment',
};

/** Returns the capability that an action on a comment requires. */
export function commentCapability(action: CommentAction): Capability {
  return commentCapabilities[action];
}

/** Implements a method of a network that lacks the capability. */
export function unsupported(platform: Platform, capability: Capability): () => Promise<never> {
  return async () => {
    throw capabilityMissing(platform, capability);
  };
}

/** @throws 400 with the name of the capability if the network lacks it. */
export function requireCapability(platform: Platform, capability: Capability): void {
  if (!capabilities[platform].supports[capability]) {
    throw capabilityMissing(platform, capability);
  }
}
