import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { businessOAuth } from './business-oauth.ts';
import * as business from './business-tokens.ts';
import { platform } from './call.ts';
import { actOnComment } from './comment-actions.ts';
import * as events from './events.ts';
import * as messages from './messages.ts';
import * as metrics from './metrics.ts';
import { oauth } from './oauth.ts';
import * as publishing from './publishing.ts';
import * as tokens from './tokens.ts';

/**
 * TikTok: the public API for posts and metrics, the Business API for comments and messages. Each has
 * an app, a token and an account id of its own.
 */
export const adapter: Network = {
  platform,
  tokenFamily: 'ROTATING',
  oauth,
  businessTokens: {
    tokenFamily: 'ROTATING',
    validateToken: business.validateToken,
    refreshToken: business.refreshToken,
  },
  businessOAuth,
  ...tokens,
  ...metrics,
  ...publishing,
  ...events,
  ...messages,
  actOnComment,
  deletePost: unsupported(platform, 'deletePost'),
  privateReply: unsupported(platform, 'privateReply'),
};
