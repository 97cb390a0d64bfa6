import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { answerChallenge, parseEvents, subscribe, unsubscribe, verifySignature } from './events.ts';
import { fetchComments, replyToComment } from './messages.ts';
import { fetchAccountMetrics, fetchPostMetrics, listRecentPosts } from './metrics.ts';
import { commit, deletePost, prepare, probe } from './publishing.ts';
import { listPages, refreshToken, validateToken } from './tokens.ts';

/** LinkedIn. An account is an organization; a member's token acts for those it administers. */
export const adapter: Network = {
  platform,
  tokenFamily: 'STATIC_REFRESH',
  validateToken,
  refreshToken,
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
  sendDirectMessage: async () => {
    throw capabilityMissing(platform, 'directMessage');
  },
  replyToComment,
  privateReply: async () => {
    throw capabilityMissing(platform, 'privateReply');
  },
};
