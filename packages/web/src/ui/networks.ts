import type { Channel, Platform } from '../service.ts';

/** The common names of the networks, in display order. */
export const networkNames: Readonly<Record<Platform, string>> = {
  FACEBOOK: 'Facebook',
  INSTAGRAM: 'Instagram',
  TIKTOK: 'TikTok',
  TWITTER: 'X',
  LINKEDIN: 'LinkedIn',
  YOUTUBE: 'YouTube',
};

export const networks = Object.keys(networkNames) as readonly Platform[];

export const channelNames: Readonly<Record<Channel, string>> = {
  DIRECT_MESSAGE: 'Message',
  COMMENT: 'Comment',
  POST: 'Post',
};
