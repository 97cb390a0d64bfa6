import { secondMs } from '#lib/platform/clock.ts';
import type {
  CommentReply,
  Credentials,
  DirectMessage,
  FileLocation,
  LocatableFile,
  NormalisedEvent,
  Sent,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { epochMs } from '#lib/vendors/networks/timestamps.ts';
import * as z from '#schemas/zod.ts';
import { callBusiness, platform } from './call.ts';

const sent = z.object({ data: z.object({ message: z.object({ message_id: z.string() }) }) });
const replied = z.object({ data: z.object({ comment_id: z.string() }) });
/** Seconds, as a string. */
const creationTime = z.coerce
  .number()
  .transform((value) => value * secondMs)
  .pipe(epochMs);
const located = z.object({ data: z.object({ download_url: z.string() }) });
/** 19-digit ids arrive as strings or as numbers. */
const id = z.union([z.string(), z.number()]).transform(String);
const comment = z.object({
  comment_id: id,
  video_id: id,
  parent_comment_id: id.optional(),
  unique_identifier: z.string(),
  username: z.string().optional(),
  display_name: z.string().optional(),
  text: z.string().default(''),
  create_time: creationTime,
  owner: z.boolean().default(false),
});
type Comment = z.output<typeof comment>;
const comments = z.object({
  data: z.object({
    comments: z.array(comment.extend({ reply_list: z.array(comment).default([]) })).default([]),
  }),
});
const videos = z.object({
  data: z.object({ videos: z.array(z.object({ item_id: id })).default([]) }),
});
const latestVideos = 20;

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

/** Requests the download URL of an image or video. It requires the token in a header. */
export async function locateFile(
  { platformUserId, accessToken }: Credentials,
  { customerId, messageId, mediaId, kind }: LocatableFile,
): Promise<FileLocation> {
  const { data } = await callBusiness(accessToken, {
    method: 'POST',
    path: '/business/message/media/download/',
    json: {
      business_id: platformUserId,
      conversation_id: customerId,
      message_id: messageId,
      media_id: mediaId,
      media_type: kind,
    },
    isHarmless: true,
    answer: located,
  });

  return { url: data.download_url, headers: { 'x-user': accessToken } };
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
  const { data } = await callBusiness(credentials.accessToken, {
    method: 'GET',
    path: '/business/video/list/',
    query: {
      business_id: credentials.platformUserId,
      fields: JSON.stringify(['item_id']),
      max_count: latestVideos,
    },
    answer: videos,
  });
  const found = await Promise.all(
    data.videos.map(({ item_id: videoId }) => commentsOf(credentials, videoId)),
  );

  return found
    .flat()
    .filter(({ occurredAt }) => occurredAt >= since)
    .sort((a, b) => a.occurredAt.localeCompare(b.occurredAt));
}

/**
 * Fetches a comment if its event lacks the text or the author. Returns `undefined` if the comment
 * no longer exists, or does not exist yet.
 *
 * Unverified: whether events contain them; third-party clients disagree. See docs/operations.md.
 */
export async function completeEvent(
  credentials: Credentials,
  event: NormalisedEvent,
): Promise<NormalisedEvent | undefined> {
  const { type, text, from, messageId, platformPostId } = event;
  const isComplete = text !== '' && from.id !== '';
  if (type !== 'comment' || isComplete || platformPostId === undefined) {
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

  return data.comments
    .flatMap(({ reply_list: replies, ...one }) => [one, ...replies])
    .map((one) => toEvent(one, platformUserId));
}

function toEvent(one: Comment, platformUserId: string): NormalisedEvent {
  const { parent_comment_id: parent } = one;

  return {
    eventId: `comment-${one.comment_id}`,
    platformUserId,
    type: 'comment',
    channel: 'COMMENT',
    from: {
      id: one.unique_identifier,
      name: one.display_name || one.username || one.unique_identifier,
    },
    to: undefined,
    text: one.text,
    messageId: one.comment_id,
    platformPostId: one.video_id,
    ...(parent === undefined || parent === '0' ? {} : { parentId: parent }),
    isEcho: one.owner || one.unique_identifier === platformUserId,
    occurredAt: new Date(one.create_time).toISOString(),
  };
}
