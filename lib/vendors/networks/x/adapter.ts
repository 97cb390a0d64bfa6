import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { platform } from './call.ts';
import { answerChallenge, parseEvents, subscribe, unsubscribe, verifySignature } from './events.ts';
import { fetchComments, replyToComment, sendDirectMessage } from './messages.ts';
import { fetchAccountMetrics, fetchPostMetrics, listRecentPosts } from './metrics.ts';
import { commit, deletePost, prepare, probe } from './publishing.ts';
import { listPages, refreshToken, validateToken } from './tokens.ts';

/** X, through version 2 of its API. */
export const adapter: Network = {
  platform,
  tokenFamily: 'ROTATING',
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
  sendDirectMessage,
  replyToComment,
  privateReply: async () => {
    throw capabilityMissing(platform, 'privateReply');
  },
};
