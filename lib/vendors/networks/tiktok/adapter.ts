import { now, secondMs } from '#lib/platform/clock.ts';
import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Credentials, Network } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import * as z from '#schemas/zod.ts';
import { callTiktok } from './call.ts';
import { parseTiktokEvents } from './events.ts';
import {
  completeTiktokComment,
  fetchTiktokComments,
  replyToTiktokComment,
  sendTiktokMessage,
  subscribeTiktokApp,
} from './messages.ts';
import { fetchTiktokMetrics, listTiktokVideos } from './metrics.ts';
import {
  commitTiktokPost,
  fetchTiktokQuota,
  prepareTiktokPost,
  probeTiktokPost,
} from './publishing.ts';
import { refreshTiktokToken } from './tokens.ts';

/** An older signature may be one that somebody has recorded. */
const maxSignatureAgeMs = 300 * secondMs;

const userInfo = z.object({
  data: z.object({
    user: z.object({
      open_id: z.string(),
      display_name: z.string().default(''),
      username: z.string().optional(),
      follower_count: z.number().optional(),
      likes_count: z.number().optional(),
      video_count: z.number().optional(),
    }),
  }),
});

/** TikTok: the public API for posts and figures, the Business API for comments and messages. */
export const tiktok: Network = {
  platform: 'TIKTOK',
  tokenFamily: 'ROTATING',

  validateToken: async (credentials) => ({
    platformUserIds: [(await readUser(credentials, 'open_id')).open_id],
  }),
  refreshToken: ({ refreshToken }) => refreshTiktokToken(refreshToken),
  /** TikTok has no pages: the account itself is the one. */
  listPages: async (credentials) => {
    const user = await readUser(credentials, 'open_id,display_name,username,follower_count');

    return [
      {
        platformPageId: user.open_id,
        name: user.display_name,
        category: null,
        url: user.username === undefined ? null : `https://www.tiktok.com/@${user.username}`,
        isActive: true,
        followersCount: user.follower_count ?? null,
        lastPostDate: null,
      },
    ];
  },
  fetchAccountFigures: async (credentials) => {
    const user = await readUser(credentials, 'open_id,follower_count,likes_count,video_count');

    return {
      followers: user.follower_count ?? null,
      posts: user.video_count ?? null,
      // Likes are all that TikTok counts for an account as a whole.
      engagement: user.likes_count ?? null,
      reach: null,
      clicks: null,
    };
  },
  listRecentPosts: listTiktokVideos,

  fetchPublishingQuota: fetchTiktokQuota,
  prepare: prepareTiktokPost,
  commit: commitTiktokPost,
  probe: probeTiktokPost,
  deletePost: async () => {
    throw capabilityMissing('TIKTOK', 'deletePost');
  },
  fetchPostMetrics: fetchTiktokMetrics,

  subscribe: (_credentials, callbackUrl) => subscribeTiktokApp(callbackUrl),
  /** The webhooks are the app's, and go on for all other accounts: there is nothing to end. */
  unsubscribe: async () => undefined,
  /** TikTok has no handshake. */
  answerChallenge: async () => undefined,
  verifySignature: async (rawBody, headers) => {
    const { webhookSecret, clientSecret } = await networkApp('TIKTOK');
    const [, at = '', signature] =
      /^t=(\d{1,12}),s=([0-9a-f]{64})$/.exec(headers['tiktok-signature'] ?? '') ?? [];
    const isFresh = Math.abs(now() - Number(at) * secondMs) <= maxSignatureAgeMs;
    const expected = hmacOf(webhookSecret ?? clientSecret, `${at}.`, rawBody);

    return isFresh && isSignature(signature, 'hex', expected);
  },
  parseEvents: parseTiktokEvents,
  completeEvent: completeTiktokComment,
  fetchComments: fetchTiktokComments,

  sendDirectMessage: async (credentials, { to, text }) => ({
    id: await sendTiktokMessage(credentials, to, text),
  }),
  replyToComment: async (credentials, reply) => ({
    id: await replyToTiktokComment(credentials, reply),
  }),
  privateReply: async () => {
    throw capabilityMissing('TIKTOK', 'privateReply');
  },
};

async function readUser({ accessToken }: Credentials, fields: string) {
  const { data } = await callTiktok(accessToken, {
    method: 'GET',
    path: '/v2/user/info/',
    query: { fields },
    answer: userInfo,
  });

  return data.user;
}
