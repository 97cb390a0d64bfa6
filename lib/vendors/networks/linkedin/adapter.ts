import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import {
  answerChallenge,
  fetchComments,
  parseEvents,
  subscribe,
  unsubscribe,
  verifySignature,
} from './events.ts';
import { replyToComment } from './messages.ts';
import { fetchAccountFigures, fetchPostMetrics } from './metrics.ts';
import { commit, deletePost, listRecentPosts, prepare, probe } from './publishing.ts';
import { listPages, refreshToken, validateToken } from './tokens.ts';

/** LinkedIn. Its accounts are organizations: a member's token speaks for those it administers. */
export const linkedin: Network = {
  platform: 'LINKEDIN',
  tokenFamily: 'STATIC_REFRESH',
  validateToken,
  refreshToken,
  listPages,
  fetchAccountFigures,
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
    throw capabilityMissing('LINKEDIN', 'directMessage');
  },
  replyToComment,
  privateReply: async () => {
    throw capabilityMissing('LINKEDIN', 'privateReply');
  },
};
