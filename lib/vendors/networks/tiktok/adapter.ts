import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { answerChallenge, parseEvents, subscribe, unsubscribe, verifySignature } from './events.ts';
import { completeEvent, fetchComments, replyToComment, sendDirectMessage } from './messages.ts';
import { fetchAccountMetrics, fetchPostMetrics, listRecentPosts } from './metrics.ts';
import { commit, fetchPublishingQuota, prepare, probe } from './publishing.ts';
import { listPages, refreshToken, validateToken } from './tokens.ts';

/** TikTok: the public API for posts and metrics, the Business API for comments and messages. */
export const adapter: Network = {
  platform,
  tokenFamily: 'ROTATING',
  validateToken,
  refreshToken,
  listPages,
  fetchAccountMetrics,
  listRecentPosts,
  fetchPublishingQuota,
  prepare,
  commit,
  probe,
  deletePost: async () => {
    throw capabilityMissing(platform, 'deletePost');
  },
  fetchPostMetrics,
  subscribe,
  unsubscribe,
  answerChallenge,
  verifySignature,
  parseEvents,
  completeEvent,
  fetchComments,
  sendDirectMessage,
  replyToComment,
  privateReply: async () => {
    throw capabilityMissing(platform, 'privateReply');
  },
};
