import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import { answerHubChallenge, isSignedByMeta } from '#lib/vendors/networks/meta/meta-webhook.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import type { Credentials, Network, Sent } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callFacebook } from './call.ts';
import { parseFacebookEvents } from './events.ts';
import { fetchFacebookFigures, fetchFacebookMetrics } from './metrics.ts';
import { listFacebookPages, validateFacebookToken } from './pages.ts';
import {
  commitFacebookPost,
  deleteFacebookPost,
  listFacebookPosts,
  prepareFacebookPost,
  probeFacebookPost,
} from './publishing.ts';

const platform = 'FACEBOOK';
const subscribedFields = 'feed,messages,messaging_postbacks,message_echoes,mention';

const sentMessage = z.object({ message_id: z.string() });
const created = z.object({ id: z.string() });

/** Facebook's pages, through the Graph API. The account is a page, and the token is the page's. */
export const facebook: Network = {
  platform,
  // A page's token that was made from a long-lived one does not end, and nothing renews it.
  tokenFamily: 'NONE',

  validateToken: validateFacebookToken,
  refreshToken: async () => {
    throw capabilityMissing(platform, 'tokenRefresh');
  },
  listPages: listFacebookPages,
  fetchAccountFigures: fetchFacebookFigures,
  listRecentPosts: (credentials) => listFacebookPosts(credentials),

  prepare: prepareFacebookPost,
  commit: commitFacebookPost,
  probe: probeFacebookPost,
  deletePost: deleteFacebookPost,
  fetchPostMetrics: fetchFacebookMetrics,

  // The address is the app's, set once by whoever runs the service; pages are subscribed to it.
  subscribe: async (credentials) => {
    await callFacebook(credentials, {
      method: 'POST',
      path: pathOf(credentials.platformUserId, 'subscribed_apps'),
      form: { subscribed_fields: subscribedFields },
      isHarmless: true,
    });
  },
  unsubscribe: async (credentials) => {
    await callFacebook(credentials, {
      method: 'DELETE',
      path: pathOf(credentials.platformUserId, 'subscribed_apps'),
      isHarmless: true,
    });
  },
  answerChallenge: (query) => answerHubChallenge(platform, query),
  verifySignature: (rawBody, headers) => isSignedByMeta([platform], rawBody, headers),
  parseEvents: parseFacebookEvents,
  // They are pushed.
  fetchComments: async () => [],

  sendDirectMessage: (credentials, { to, text, echoTag }) =>
    send(credentials, { id: to }, text, echoTag),
  privateReply: (credentials, { commentId, text, echoTag }) =>
    send(credentials, { comment_id: commentId }, text, echoTag),
  replyToComment: async (credentials, { commentId, text }) => {
    const answer = await callFacebook(credentials, {
      method: 'POST',
      path: pathOf(commentId, 'comments'),
      form: { message: text },
    });

    return readAnswer(platform, created, answer, 'outcomeUnknown');
  },
};

async function send(
  credentials: Credentials,
  recipient: { readonly id: string } | { readonly comment_id: string },
  text: string,
  echoTag: string,
): Promise<Sent> {
  const answer = await callFacebook(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'messages'),
    json: {
      recipient,
      messaging_type: 'RESPONSE',
      // It comes back with the echo of the message, which is how the service knows its own.
      message: { text, metadata: echoTag },
    },
  });

  return { id: readAnswer(platform, sentMessage, answer, 'outcomeUnknown').message_id };
}
