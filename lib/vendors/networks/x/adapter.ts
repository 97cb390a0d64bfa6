import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { Credentials, Network, NetworkPage } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import { crcToken } from '#schemas/webhook-challenges.ts';
import * as z from '#schemas/zod.ts';
import { callTwitter } from './call.ts';
import { mentionsAsEvents, parseTwitterEvents } from './events.ts';
import { fetchTwitterMetrics, listTwitterPosts, readTimelineSince } from './metrics.ts';
import {
  commitTwitterPost,
  deleteTwitterPost,
  prepareTwitterPost,
  probeTwitterPost,
  refuseEmptyPost,
  replyOnTwitter,
} from './publishing.ts';
import { subscribeOnTwitter, unsubscribeOnTwitter } from './subscriptions.ts';
import { refreshTwitterToken } from './tokens.ts';

const me = z.object({
  data: z.object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    public_metrics: z
      .object({ followers_count: z.number().optional(), tweet_count: z.number().optional() })
      .optional(),
  }),
});
const sentMessage = z.object({ data: z.object({ dm_event_id: z.string() }) });

/** X, over its API version 2. */
export const twitter: Network = {
  platform: 'TWITTER',
  tokenFamily: 'ROTATING',

  validateToken: async (credentials) => ({ platformUserIds: [(await readMe(credentials)).id] }),
  refreshToken: ({ refreshToken }) => refreshTwitterToken(refreshToken),
  listPages: async (credentials) => [asPage(await readMe(credentials))],
  fetchAccountFigures: async (credentials) => {
    const { public_metrics: figures } = await readMe(credentials);

    return {
      followers: figures?.followers_count ?? null,
      posts: figures?.tweet_count ?? null,
      engagement: null,
      reach: null,
      clicks: null,
    };
  },
  listRecentPosts: listTwitterPosts,

  prepare: async (credentials, publication, handle) => {
    refuseEmptyPost(publication);

    return prepareTwitterPost(credentials, publication, handle);
  },
  commit: commitTwitterPost,
  probe: (credentials, publication, _handle, since) =>
    probeTwitterPost(credentials, publication, since),
  deletePost: deleteTwitterPost,
  fetchPostMetrics: fetchTwitterMetrics,

  subscribe: subscribeOnTwitter,
  unsubscribe: unsubscribeOnTwitter,
  answerChallenge: async ({ crc_token: challenge }) => {
    const token = crcToken.safeParse(challenge);
    if (!token.success) {
      return undefined;
    }
    const digest = hmacOf(await signingSecret(), token.data).toString('base64');

    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ response_token: `sha256=${digest}` }),
    };
  },
  verifySignature: async (rawBody, headers) => {
    const [, signature] = /^sha256=(.+)$/.exec(headers['x-twitter-webhooks-signature'] ?? '') ?? [];
    // Anyone can have such a text signed, by sending it as a challenge.
    if (crcToken.safeParse(rawBody.toString()).success) {
      return false;
    }

    return isSignature(signature, 'base64', hmacOf(await signingSecret(), rawBody));
  },
  parseEvents: parseTwitterEvents,
  fetchComments: async (credentials, since) => {
    const { pages } = await readTimelineSince(credentials, 'mentions', since);

    return pages.flatMap((page) => mentionsAsEvents(credentials.platformUserId, page)).reverse();
  },

  sendDirectMessage: async ({ accessToken }, { to, text }) => {
    const { data } = await callTwitter({
      method: 'POST',
      path: `/2/dm_conversations/with/${encodeURIComponent(to)}/messages`,
      token: accessToken,
      json: { text },
      answer: sentMessage,
    });

    return { id: data.dm_event_id };
  },
  replyToComment: async (credentials, { commentId, text }) => ({
    id: await replyOnTwitter(credentials, commentId, text),
  }),
  privateReply: async () => {
    throw capabilityMissing('TWITTER', 'privateReply');
  },
};

type Me = z.output<typeof me>['data'];

async function readMe({ accessToken }: Credentials): Promise<Me> {
  const { data } = await callTwitter({
    method: 'GET',
    path: '/2/users/me',
    token: accessToken,
    query: { 'user.fields': 'public_metrics,username' },
    answer: me,
  });

  return data;
}

/** X has no pages: the account itself is the one. */
function asPage({ id, name, username, public_metrics: figures }: Me): NetworkPage {
  return {
    platformPageId: id,
    name,
    category: null,
    url: `https://x.com/${username}`,
    isActive: true,
    followersCount: figures?.followers_count ?? null,
    lastPostDate: null,
  };
}

/** X signs with the consumer secret, which is not the secret of OAuth 2. */
async function signingSecret(): Promise<string> {
  const { webhookSecret, clientSecret } = await networkApp('TWITTER');

  return webhookSecret ?? clientSecret;
}
