import { capabilityMissing } from './capabilities.ts';
import {
  answerChallenge,
  fetchComments,
  parseEvents,
  subscribe,
  unsubscribe,
  verifySignature,
} from './linkedin/linkedin-events.ts';
import { fetchAccountFigures, fetchPostMetrics } from './linkedin/linkedin-figures.ts';
import { commit, deletePost, listRecentPosts, prepare, probe } from './linkedin/linkedin-posts.ts';
import { replyToComment } from './linkedin/linkedin-replies.ts';
import { listPages, refreshToken, validateToken } from './linkedin/linkedin-tokens.ts';
import type { Network } from './network.ts';

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
