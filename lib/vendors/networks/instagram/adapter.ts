import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { answerChallenge, parseEvents, subscribe, unsubscribe, verifySignature } from './events.ts';
import { fetchComments, privateReply, replyToComment, sendDirectMessage } from './messages.ts';
import { fetchAccountMetrics, fetchPostMetrics, listRecentPosts } from './metrics.ts';
import { commit, deletePost, fetchPublishingQuota, prepare, probe } from './publishing.ts';
import { listPages, refreshToken, validateToken } from './tokens.ts';

/** Instagram professional accounts that logged in at Instagram, not through Facebook. */
export const adapter: Network = {
  platform,
  tokenFamily: 'EXTEND',
  validateToken,
  refreshToken,
  listPages,
  fetchAccountMetrics,
  listRecentPosts,
  fetchPublishingQuota,
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
