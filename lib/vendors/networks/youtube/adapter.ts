import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { actOnComment } from './comment-actions.ts';
import * as events from './events.ts';
import * as messages from './messages.ts';
import * as metrics from './metrics.ts';
import { oauth } from './oauth.ts';
import * as ownComments from './own-comments.ts';
import * as publishing from './publishing.ts';
import * as tokens from './tokens.ts';

/** YouTube. An account is a channel; comments are not pushed, and there are no messages. */
export const adapter: Network = {
  platform,
  tokenFamily: 'STATIC_REFRESH',
  oauth,
  ...tokens,
  ...metrics,
  ...publishing,
  ...events,
  ...messages,
  ...ownComments,
  actOnComment,
  sendDirectMessage: unsupported(platform, 'directMessage'),
  privateReply: unsupported(platform, 'privateReply'),
};
