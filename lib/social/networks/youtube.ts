import { capabilityMissing } from './capabilities.ts';
import type { Network } from './network.ts';
import {
  answerChallenge,
  parseEvents,
  subscribe,
  unsubscribe,
  verifySignature,
} from './youtube/web-sub.ts';
import {
  fetchAccountFigures,
  fetchPostMetrics,
  listPages,
  listRecentPosts,
} from './youtube/youtube-channels.ts';
import { fetchComments, replyToComment } from './youtube/youtube-comments.ts';
import { refreshToken, validateToken } from './youtube/youtube-tokens.ts';
import { commit, deletePost, prepare, probe } from './youtube/youtube-videos.ts';

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
