import { secondMs } from '#lib/platform/clock.ts';
import { epochMs } from '#lib/vendors/networks/moments.ts';
import type { Credentials, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { inAppsName, networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { callTiktokBusiness } from './call.ts';
import { listTiktokVideos } from './metrics.ts';

/** `COMMENT` is known from clients alone. */
const webhookEvents = ['DIRECT_MESSAGE', 'COMMENT'] as const;

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
          /** Seconds, as a text. */
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

/** Points the app's webhooks here. They are the app's: the same call for every account. */
export async function subscribeTiktokApp(callbackUrl: string): Promise<void> {
  const app = await networkApp('TIKTOK');
  await inAppsName(
    Promise.all(
      webhookEvents.map((eventType) =>
        callTiktokBusiness(undefined, {
          method: 'POST',
          path: '/business/webhook/update/',
          json: {
            app_id: app.clientId,
            secret: app.clientSecret,
            event_type: eventType,
            callback_url: callbackUrl,
          },
          isHarmless: true,
          answer: z.unknown(),
        }),
      ),
    ),
  );
}

/** Answers into a conversation, within 48 hours after the customer wrote. */
export async function sendTiktokMessage(
  { platformUserId, accessToken }: Credentials,
  conversationId: string,
  text: string,
): Promise<string> {
  const { data } = await callTiktokBusiness(accessToken, {
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

  return data.message.message_id;
}

export async function replyToTiktokComment(
  { platformUserId, accessToken }: Credentials,
  reply: {
    readonly commentId: string;
    readonly platformPostId?: string | undefined;
    readonly text: string;
  },
): Promise<string> {
  if (reply.platformPostId === undefined) {
    throw new NetworkError('TIKTOK', 'refused', {
      message: 'TikTok needs the video of a comment to reply to it',
    });
  }
  const { data } = await callTiktokBusiness(accessToken, {
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

  return data.comment_id;
}

/** The latest comments on the account's latest videos, oldest first. */
export async function fetchTiktokComments(
  credentials: Credentials,
  since: string,
): Promise<readonly NormalisedEvent[]> {
  const videos = await listTiktokVideos(credentials);
  const found = await Promise.all(
    videos.map(({ platformPostId }) => commentsOf(credentials, platformPostId)),
  );

  return found
    .flat()
    .filter(({ occurredAt }) => occurredAt >= since)
    .sort((a, b) => a.occurredAt.localeCompare(b.occurredAt));
}

/**
 * A comment with its text, which TikTok's event may lack: clients disagree on that. `undefined` for
 * one that is gone meanwhile.
 */
export async function completeTiktokComment(
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
  const { data } = await callTiktokBusiness(accessToken, {
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
