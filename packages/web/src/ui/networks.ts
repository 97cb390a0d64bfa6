import type { Channel, Platform } from '../service.ts';

/** What people call the networks, in the order in which they are offered. */
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
