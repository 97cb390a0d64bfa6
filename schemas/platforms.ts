import * as z from './zod.ts';

/** The networks, in the order in which every message lists them. X goes by its first name. */
export const platforms = [
  'FACEBOOK',
  'INSTAGRAM',
  'TIKTOK',
  'TWITTER',
  'LINKEDIN',
  'YOUTUBE',
] as const;
export type Platform = (typeof platforms)[number];

export const platform = z.enum(platforms).meta({ example: 'FACEBOOK' });

/** Where a customer and an organization talk: private messages, comments, and posts of their own. */
export const channels = ['DIRECT_MESSAGE', 'COMMENT', 'POST'] as const;
export type Channel = (typeof channels)[number];

export const tokenRefusal = {
  kind: 'unauthorized',
  when: "The network does not take the social account's token.",
  message: 'Invalid or expired access token',
  fields: { code: 'PLATFORM_TOKEN_INVALID' },
} as const;

/** How a call to the network of a social account may fail. */
export const networkRefusals = ['badRequest', tokenRefusal, 'forbidden', 'upstream'] as const;
