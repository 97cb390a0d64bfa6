import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { mediaTimeoutMs, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import { attachmentOf, contentOf } from '#lib/vendors/networks/meta/message-content.ts';
import type { Credentials, MessagesApi, Sent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import { commentOnPost } from './own-comments.ts';

const sentMessage = z.object({ message_id: z.string() });

export const sendDirectMessage: MessagesApi['sendDirectMessage'] = (
  credentials,
  { to, echoTag, ...content },
) => send(credentials, { id: to }, { ...contentOf(content), metadata: echoTag });

export const sendFile: Required<MessagesApi>['sendFile'] = (
  credentials,
  { to, echoTag, ...file },
) => {
  const message = { attachment: attachmentOf(file), metadata: echoTag };

  return send(credentials, { id: to }, message, mediaTimeoutMs());
};

/** Posts and comments have the same edge for comments. */
export const replyToComment: MessagesApi['replyToComment'] = (credentials, { commentId, text }) =>
  commentOnPost(credentials, { platformPostId: commentId, text });

/** Replies to a comment with a direct message. */
export const privateReply: MessagesApi['privateReply'] = (
  credentials,
  { commentId, echoTag, ...content },
) => send(credentials, { comment_id: commentId }, { ...contentOf(content), metadata: echoTag });

async function send(
  credentials: Credentials,
  recipient: { readonly id: string } | { readonly comment_id: string },
  /** The echo of the message returns the metadata, so the service recognizes its own messages. */
  message: { readonly metadata: string; readonly [content: string]: unknown },
  timeoutMs?: number,
): Promise<Sent> {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'messages'),
    json: {
      recipient,
      messaging_type: 'RESPONSE',
      message,
    },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

  return { id: readAnswer(platform, sentMessage, answer, 'outcomeUnknown').message_id };
}
