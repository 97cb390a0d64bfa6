import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { MessagesApi } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { callBusiness, platform } from './call.ts';

export const privateReply = unsupported(platform, 'privateReply');

const sent = z.object({ data: z.object({ message: z.object({ message_id: z.string() }) }) });
const replied = z.object({ data: z.object({ comment_id: z.string() }) });

/**
 * Sends a message to a conversation. TikTok allows this for 48 hours after the customer's message.
 */
export const sendDirectMessage: MessagesApi['sendDirectMessage'] = async (
  { platformUserId, accessToken },
  { to: conversationId, text },
) => {
  const { data } = await callBusiness(accessToken, {
    method: 'POST',
    path: '/business/message/send/',
    json: {
      business_id: platformUserId,
      recipient_type: 'CONVERSATION',
      recipient: conversationId,
      message_type: 'TEXT',
      text: { body: text },
    },
    answer: sent,
  });

  return { id: data.message.message_id };
};

export const replyToComment: MessagesApi['replyToComment'] = async (
  { platformUserId, accessToken },
  reply,
) => {
  if (reply.platformPostId === undefined) {
    throw new NetworkError(platform, 'refused', {
      message: 'TikTok requires the id of the video that the comment belongs to',
    });
  }
  const { data } = await callBusiness(accessToken, {
    method: 'POST',
    path: '/business/comment/reply/create/',
    json: {
      business_id: platformUserId,
      video_id: reply.platformPostId,
      comment_id: reply.commentId,
      text: reply.text,
    },
    answer: replied,
  });

  return { id: data.comment_id };
};
