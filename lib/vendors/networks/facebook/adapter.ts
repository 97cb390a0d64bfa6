import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { answerChallenge, parseEvents, subscribe, unsubscribe, verifySignature } from './events.ts';
import { fetchComments, privateReply, replyToComment, sendDirectMessage } from './messages.ts';
import { fetchAccountMetrics, fetchPostMetrics, listRecentPosts } from './metrics.ts';
import { commit, deletePost, prepare, probe } from './publishing.ts';
import { listPages, validateToken } from './tokens.ts';

/** Facebook pages, through the Graph API. The account is a page, and the token is the page's. */
export const adapter: Network = {
  platform,
  // A page token derived from a long-lived user token does not expire and cannot be refreshed.
  tokenFamily: 'NONE',
  validateToken,
  refreshToken: async () => {
    throw capabilityMissing(platform, 'tokenRefresh');
  },
  listPages,
  fetchAccountMetrics,
  listRecentPosts,
  prepare,
  commit,
  probe,
  deletePost,
  fetchPostMetrics,
  subscribe,
  unsubscribe,
  answerChallenge,
  verifySignature,
  parseEvents,
  fetchComments,
  sendDirectMessage,
  replyToComment,
  privateReply,
};
