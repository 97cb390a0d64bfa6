import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { mediaTimeoutMs, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import { attachmentOf, contentOf } from '#lib/vendors/networks/meta/message-content.ts';
import type { Credentials, MessagesApi, Sent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const sentMessage = z.object({ message_id: z.string() });
const created = z.object({ id: z.string() });

/** Sends no echo tag. The echo of a message is matched by the id that Instagram returned. */
export const sendDirectMessage: MessagesApi['sendDirectMessage'] = (
  credentials,
  { to, ...content },
) => send(credentials, { id: to }, contentOf(content));

/** Sends no echo tag, like `sendDirectMessage`. */
export const sendFile: Required<MessagesApi>['sendFile'] = (credentials, { to, ...file }) =>
  send(credentials, { id: to }, { attachment: attachmentOf(file) }, mediaTimeoutMs());

export const replyToComment: MessagesApi['replyToComment'] = async (
  credentials,
  { commentId, text },
) => {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(commentId, 'replies'),
    form: { message: text },
  });

  return readAnswer(platform, created, answer, 'outcomeUnknown');
};

/** Replies to a comment with a direct message. */
export const privateReply: MessagesApi['privateReply'] = (credentials, { commentId, ...content }) =>
  send(credentials, { comment_id: commentId }, contentOf(content));

async function send(
  credentials: Credentials,
  recipient: { readonly id: string } | { readonly comment_id: string },
  message: Readonly<Record<string, unknown>>,
  timeoutMs?: number,
): Promise<Sent> {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'messages'),
    json: { recipient, message },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

  return { id: readAnswer(platform, sentMessage, answer, 'outcomeUnknown').message_id };
}
