import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { MessagesApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

export const sendDirectMessage = unsupported(platform, 'directMessage');
export const privateReply = unsupported(platform, 'privateReply');

/** Replies to the thread's first comment. The id of a reply is `<parent id>.<reply id>`. */
export const replyToComment: MessagesApi['replyToComment'] = async (credentials, reply) => {
  const [parentId = reply.commentId] = reply.commentId.split('.');
  const answer = await call(credentials, {
    method: 'POST',
    path: '/comments',
    query: { part: 'snippet' },
    json: { snippet: { parentId, textOriginal: reply.text } },
  });

  return readAnswer(platform, z.object({ id: z.string().min(1) }), answer, 'outcomeUnknown');
};
