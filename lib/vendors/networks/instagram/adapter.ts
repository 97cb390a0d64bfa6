import { answerHubChallenge, isSignedByMeta } from '#lib/vendors/networks/meta/meta-webhook.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import type { Credentials, Network, Sent } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callInstagram } from './call.ts';
import { prepareInstagramPost } from './containers.ts';
import { parseInstagramEvents } from './events.ts';
import { fetchInstagramFigures, fetchInstagramMetrics } from './metrics.ts';
import {
  commitInstagramPost,
  deleteInstagramPost,
  fetchInstagramQuota,
  listInstagramPosts,
  probeInstagramPost,
} from './publishing.ts';
import { extendInstagramToken, listInstagramPages, validateInstagramToken } from './tokens.ts';

const platform = 'INSTAGRAM';
const subscribedFields = 'comments,live_comments,messages,messaging_postbacks';

const sentMessage = z.object({ message_id: z.string() });
const created = z.object({ id: z.string() });

/** Instagram's professional accounts that logged in at Instagram. */
export const instagram: Network = {
  platform,
  tokenFamily: 'EXTEND',

  validateToken: validateInstagramToken,
  refreshToken: extendInstagramToken,
  listPages: listInstagramPages,
  fetchAccountFigures: fetchInstagramFigures,
  listRecentPosts: listInstagramPosts,

  fetchPublishingQuota: fetchInstagramQuota,
  prepare: prepareInstagramPost,
  commit: commitInstagramPost,
  probe: probeInstagramPost,
  deletePost: deleteInstagramPost,
  fetchPostMetrics: fetchInstagramMetrics,

  // The address is the app's, set once by whoever runs the service; accounts are subscribed to it.
  subscribe: async (credentials) => {
    await callInstagram(credentials, {
      method: 'POST',
      path: pathOf(credentials.platformUserId, 'subscribed_apps'),
      form: { subscribed_fields: subscribedFields },
      isHarmless: true,
    });
  },
  unsubscribe: async (credentials) => {
    await callInstagram(credentials, {
      method: 'DELETE',
      path: pathOf(credentials.platformUserId, 'subscribed_apps'),
      isHarmless: true,
    });
  },
  answerChallenge: (query) => answerHubChallenge(platform, query),
  verifySignature: (rawBody, headers) => isSignedByMeta([platform, 'FACEBOOK'], rawBody, headers),
  parseEvents: parseInstagramEvents,
  // They are pushed.
  fetchComments: async () => [],

  // No tag goes with a message: its echo is known by the id that the network gave it.
  sendDirectMessage: (credentials, { to, text }) => send(credentials, { id: to }, text),
  privateReply: (credentials, { commentId, text }) =>
    send(credentials, { comment_id: commentId }, text),
  replyToComment: async (credentials, { commentId, text }) => {
    const answer = await callInstagram(credentials, {
      method: 'POST',
      path: pathOf(commentId, 'replies'),
      form: { message: text },
    });

    return readAnswer(platform, created, answer, 'outcomeUnknown');
  },
};

async function send(
  credentials: Credentials,
  recipient: { readonly id: string } | { readonly comment_id: string },
  text: string,
): Promise<Sent> {
  const answer = await callInstagram(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'messages'),
    json: { recipient, message: { text } },
  });

  return { id: readAnswer(platform, sentMessage, answer, 'outcomeUnknown').message_id };
}
