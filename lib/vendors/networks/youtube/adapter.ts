import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Network } from '#lib/vendors/networks/network.ts';
import { fetchAccountFigures, fetchPostMetrics, listPages, listRecentPosts } from './channels.ts';
import { answerChallenge, parseEvents, subscribe, unsubscribe, verifySignature } from './events.ts';
import { fetchComments, replyToComment } from './messages.ts';
import { commit, deletePost, prepare, probe } from './publishing.ts';
import { refreshToken, validateToken } from './tokens.ts';

/** YouTube. Its accounts are channels; comments are not pushed, and there are no messages. */
export const youtube: Network = {
  platform: 'YOUTUBE',
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
    throw capabilityMissing('YOUTUBE', 'directMessage');
  },
  replyToComment,
  privateReply: async () => {
    throw capabilityMissing('YOUTUBE', 'privateReply');
  },
};
