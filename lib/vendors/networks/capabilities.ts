import { ApiError } from '#lib/platform/errors/api-error.ts';
import type { Platform } from '#schemas/platforms.ts';

/** What can be asked of a network beyond publishing and figures, which all have. */
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
] as const;
export type Capability = (typeof capabilityNames)[number];

export type Capabilities = {
  readonly supports: Readonly<Record<Capability, boolean>>;
  /** The most characters of a post, as `postLength` counts them. */
  readonly maxPostLength: number;
  /** The most characters of an answer to a comment, and of a message, as `replyLength` counts them. */
  readonly maxCommentLength: number;
  /** null: there are no messages. */
  readonly maxMessageLength: number | null;
  readonly maxMedia: number;
  /** Which kinds of media a post may have. */
  readonly media: ReadonlyArray<'image' | 'video'>;
  /** For how long after a customer's message the service may answer in private; null: no limit. */
  readonly replyWindowHours: number | null;
  /** For how long after a comment a private reply to it may be sent; null: there is none. */
  readonly privateReplyWindowHours: number | null;
  /** Comments are fetched by a job, as the network does not push them. */
  readonly pollsComments: boolean;
};

/** The networks' capabilities: data that the endpoints answer from, and the only place for it. */
export const capabilities: Readonly<Record<Platform, Capabilities>> = {
  FACEBOOK: {
    supports: {
      textOnlyPost: true,
      mixedMedia: false,
      editPublished: true,
      deletePost: true,
      directMessage: true,
      commentReply: true,
      postReply: true,
      privateReply: true,
      commentEvents: true,
      messageEvents: true,
      tokenRefresh: false,
      webhookSubscription: true,
    },
    maxPostLength: 63_206,
    maxCommentLength: 2_000,
    maxMessageLength: 2_000,
    maxMedia: 10,
    media: ['image', 'video'],
    replyWindowHours: 24,
    privateReplyWindowHours: 168,
    pollsComments: false,
  },
  INSTAGRAM: {
    supports: {
      textOnlyPost: false,
      mixedMedia: true,
      editPublished: false,
      deletePost: true,
      directMessage: true,
      commentReply: true,
      postReply: false,
      privateReply: true,
      commentEvents: true,
      messageEvents: true,
      tokenRefresh: true,
      webhookSubscription: true,
    },
    maxPostLength: 2_200,
    maxCommentLength: 1_000,
    maxMessageLength: 1_000,
    maxMedia: 10,
    media: ['image', 'video'],
    replyWindowHours: 24,
    privateReplyWindowHours: 168,
    pollsComments: false,
  },
  TIKTOK: {
    supports: {
      textOnlyPost: false,
      mixedMedia: false,
      editPublished: false,
      deletePost: false,
      directMessage: true,
      commentReply: true,
      postReply: false,
      privateReply: false,
      commentEvents: true,
      messageEvents: true,
      tokenRefresh: true,
      webhookSubscription: true,
    },
    maxPostLength: 2_200,
    maxCommentLength: 150,
    maxMessageLength: 6_000,
    maxMedia: 35,
    media: ['image', 'video'],
    replyWindowHours: 48,
    privateReplyWindowHours: null,
    pollsComments: false,
  },
  TWITTER: {
    supports: {
      textOnlyPost: true,
      mixedMedia: true,
      editPublished: false,
      deletePost: true,
      directMessage: true,
      commentReply: true,
      postReply: true,
      privateReply: false,
      commentEvents: true,
      messageEvents: true,
      tokenRefresh: true,
      webhookSubscription: true,
    },
    maxPostLength: 280,
    maxCommentLength: 280,
    maxMessageLength: 10_000,
    maxMedia: 4,
    media: ['image', 'video'],
    replyWindowHours: null,
    privateReplyWindowHours: null,
    pollsComments: false,
  },
  LINKEDIN: {
    supports: {
      textOnlyPost: true,
      mixedMedia: false,
      editPublished: true,
      deletePost: true,
      directMessage: false,
      commentReply: true,
      postReply: true,
      privateReply: false,
      commentEvents: true,
      messageEvents: false,
      tokenRefresh: true,
      webhookSubscription: true,
    },
    maxPostLength: 3_000,
    maxCommentLength: 1_250,
    maxMessageLength: null,
    maxMedia: 20,
    media: ['image', 'video'],
    replyWindowHours: null,
    privateReplyWindowHours: null,
    pollsComments: true,
  },
  YOUTUBE: {
    supports: {
      textOnlyPost: false,
      mixedMedia: false,
      editPublished: true,
      deletePost: true,
      directMessage: false,
      commentReply: true,
      postReply: false,
      privateReply: false,
      commentEvents: false,
      messageEvents: false,
      tokenRefresh: true,
      webhookSubscription: true,
    },
    maxPostLength: 5_000,
    maxCommentLength: 10_000,
    maxMessageLength: null,
    maxMedia: 1,
    media: ['video'],
    replyWindowHours: null,
    privateReplyWindowHours: null,
    pollsComments: true,
  },
};

/** What people call the networks. */
export const platformNames: Readonly<Record<Platform, string>> = {
  FACEBOOK: 'Facebook',
  INSTAGRAM: 'Instagram',
  TIKTOK: 'TikTok',
  TWITTER: 'X',
  LINKEDIN: 'LinkedIn',
  YOUTUBE: 'YouTube',
};

/** 400: the network has no such thing. */
export function capabilityMissing(platform: Platform, capability: Capability): ApiError {
  return new ApiError('badRequest', `${platform} does not support ${capability}`);
}

/** @throws 400 naming the capability, where the network does not have it. */
export function requireCapability(platform: Platform, capability: Capability): void {
  if (!capabilities[platform].supports[capability]) {
    throw capabilityMissing(platform, capability);
  }
}
