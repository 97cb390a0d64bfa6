import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { actOnComment } from './comment-actions.ts';
import * as events from './events.ts';
import { fetchLeadAd } from './lead-ads.ts';
import * as messages from './messages.ts';
import * as metrics from './metrics.ts';
import { oauth } from './oauth.ts';
import * as ownComments from './own-comments.ts';
import { listScopedIds } from './page-scoped-ids.ts';
import * as publishing from './publishing.ts';
import * as tokens from './tokens.ts';

/** Facebook pages, through the Graph API. The account is a page, and the token is the page's. */
export const adapter: Network = {
  platform,
  // A page token derived from a long-lived user token does not expire and cannot be refreshed.
  tokenFamily: 'NONE',
  oauth,
  ...tokens,
  ...metrics,
  ...publishing,
  ...events,
  ...messages,
  ...ownComments,
  actOnComment,
  fetchLeadAd,
  listScopedIds,
  refreshToken: unsupported(platform, 'tokenRefresh'),
};
