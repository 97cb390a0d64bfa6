import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { actOnComment } from './comment-actions.ts';
import * as events from './events.ts';
import * as messages from './messages.ts';
import * as metrics from './metrics.ts';
import { oauth } from './oauth.ts';
import * as publishing from './publishing.ts';
import * as tokens from './tokens.ts';

/** X, through version 2 of its API. */
export const adapter: Network = {
  platform,
  tokenFamily: 'ROTATING',
  oauth,
  ...tokens,
  ...metrics,
  ...publishing,
  ...events,
  ...messages,
  actOnComment,
  privateReply: unsupported(platform, 'privateReply'),
};
