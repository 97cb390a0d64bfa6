import { secondMs } from '#lib/platform/clock.ts';
import type {
  CommentReply,
  Credentials,
  DirectMessage,
  NormalisedEvent,
  Sent,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { epochMs } from '#lib/vendors/networks/timestamps.ts';
import * as z from '#schemas/zod.ts';
import { callBusiness, platform } from './call.ts';
import { listRecentPosts } from './metrics.ts';

const sent = z.object({ data: z.object({ message: z.object({ message_id: z.string() }) }) });
const replied = z.object({ data: z.object({ comment_id: z.string() }) });
const comments = z.object({
  data: z.object({
    comments: z
      .array(
        z.object({
          comment_id: z.string(),
          video_id: z.string(),
          parent_comment_id: z.string().optional(),
          unique_identifier: z.string(),
          username: z.string().optional(),
          display_name: z.string().optional(),
          text: z.string(),
          /** Seconds, as a string. */
          create_time: z.coerce
            .number()
            .transform((value) => value * secondMs)
            .pipe(epochMs),
          owner: z.boolean().default(false),
        }),
      )
      .default([]),
  }),
});

/**
 * Sends a message to a conversation. TikTok allows this for 48 hours after the customer's message.
 */
export async function sendDirectMessage(
  { platformUserId, accessToken }: Credentials,
  { to: conversationId, text }: DirectMessage,
): Promise<Sent> {
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
}

export async function replyToComment(
  { platformUserId, accessToken }: Credentials,
  reply: CommentReply,
): Promise<Sent> {
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
}

/** Returns the latest comments on the account's latest videos, oldest first. */
export async function fetchComments(
  credentials: Credentials,
  since: string,
): Promise<readonly NormalisedEvent[]> {
  const videos = await listRecentPosts(credentials);
  const found = await Promise.all(
    videos.map(({ platformPostId }) => commentsOf(credentials, platformPostId)),
  );

  return found
    .flat()
    .filter(({ occurredAt }) => occurredAt >= since)
    .sort((a, b) => a.occurredAt.localeCompare(b.occurredAt));
}

/**
 * Fetches the text of a comment if the event lacks it. Returns `undefined` if the comment no longer
 * exists.
 *
 * Unverified: whether events contain the text; third-party clients disagree. See
 * docs/operations.md.
 */
export async function completeEvent(
  credentials: Credentials,
  event: NormalisedEvent,
): Promise<NormalisedEvent | undefined> {
  const { type, text, messageId, platformPostId } = event;
  if (type !== 'comment' || text !== '' || platformPostId === undefined) {
    return event;
  }
  const found = await commentsOf(credentials, platformPostId, {
    comment_ids: JSON.stringify([messageId]),
    include_replies: 'true',
  });

  return found.find((one) => one.messageId === messageId);
}

async function commentsOf(
  { platformUserId, accessToken }: Credentials,
  videoId: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<readonly NormalisedEvent[]> {
  const { data } = await callBusiness(accessToken, {
    method: 'GET',
    path: '/business/comment/list/',
    query: {
      ...filter,
      business_id: platformUserId,
      video_id: videoId,
      sort_field: 'create_time',
      sort_order: 'desc',
      max_count: 30,
    },
    answer: comments,
  });

  return data.comments.map((one) => ({
    eventId: `comment-${one.comment_id}`,
    platformUserId,
    type: 'comment' as const,
    channel: 'COMMENT' as const,
    from: {
      id: one.unique_identifier,
      name: one.display_name || one.username || one.unique_identifier,
    },
    to: undefined,
    text: one.text,
    messageId: one.comment_id,
    platformPostId: one.video_id,
    ...(one.parent_comment_id === undefined ? {} : { parentId: one.parent_comment_id }),
    isEcho: one.owner || one.unique_identifier === platformUserId,
    occurredAt: new Date(one.create_time).toISOString(),
  }));
}
