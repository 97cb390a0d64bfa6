import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { actOnComment } from './comment-actions.ts';
import * as comments from './comments.ts';
import * as events from './events.ts';
import * as messages from './messages.ts';
import * as metrics from './metrics.ts';
import { oauth } from './oauth.ts';
import * as ownComments from './own-comments.ts';
import * as publishing from './publishing.ts';
import * as tokens from './tokens.ts';

/** Instagram professional accounts that logged in at Instagram, not through Facebook. */
export const adapter: Network = {
  platform,
  tokenFamily: 'EXTEND',
  oauth,
  ...tokens,
  ...metrics,
  ...publishing,
  ...events,
  ...messages,
  ...ownComments,
  actOnComment,
  ...comments,
  // Only accounts that logged in through Facebook can delete media.
  deletePost: unsupported(platform, 'deletePost'),
};
