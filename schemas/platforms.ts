import type { ErrorCode } from './errors.ts';
import * as z from './zod.ts';

/** The networks, in the order that error messages list them. X keeps its former name TWITTER. */
export const platforms = [
  'FACEBOOK',
  'INSTAGRAM',
  'TIKTOK',
  'TWITTER',
  'LINKEDIN',
  'YOUTUBE',
] as const;
export type Platform = (typeof platforms)[number];

export const platform = z.enum(platforms).meta({ id: 'Platform', example: 'FACEBOOK' });

/** Where customers and organizations communicate. `POST` is a post by the customer. */
export const channels = ['DIRECT_MESSAGE', 'COMMENT', 'POST'] as const;
export type Channel = (typeof channels)[number];

export const channel = z.enum(channels).meta({ id: 'Channel', example: 'DIRECT_MESSAGE' });

export const messagingStates = ['CONNECTED', 'EXPIRED', 'MISSING', 'NOT_SUPPORTED'] as const;
export type MessagingState = (typeof messagingStates)[number];

/** The kinds of accounts that a person can connect after giving consent at a network. */
export const choiceKinds = ['PROFILE', 'PAGE', 'ORGANIZATION', 'CHANNEL'] as const;
export type ChoiceKind = (typeof choiceKinds)[number];

/** Errors of endpoints that call the network of a social account. */
export const networkRefusals = [
  'CAPABILITY_UNSUPPORTED',
  'PLATFORM_REJECTED',
  'PLATFORM_TOKEN_INVALID',
  'PLATFORM_PERMISSION_MISSING',
  'SOCIAL_PLATFORM_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** Meta's networks, which send people's requests to delete their data. */
export const metaPlatforms = ['FACEBOOK', 'INSTAGRAM'] as const satisfies readonly Platform[];
export type MetaPlatform = (typeof metaPlatforms)[number];

export function isMetaPlatform(platform: Platform): platform is MetaPlatform {
  return metaPlatforms.some((known) => known === platform);
}
