import { secondMs } from '#lib/platform/clock.ts';
import {
  anyNumber,
  epochMs,
  networkId,
  optional,
  optionalId,
  optionalText,
  readableList,
  textOrEmpty,
} from '#lib/vendors/networks/lenient-fields.ts';
import type { Credentials, LookupsApi, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { personOf } from '#lib/vendors/networks/person-of.ts';
import * as z from '#schemas/zod.ts';
import { callBusiness, platform } from './call.ts';

const located = z.object({ data: z.object({ download_url: z.string() }) });
const comment = z.object({
  comment_id: networkId,
  video_id: networkId,
  parent_comment_id: optionalId,
  unique_identifier: networkId,
  username: optionalText,
  display_name: optionalText,
  text: textOrEmpty,
  /** In seconds, as a string. */
  create_time: anyNumber.transform((value) => value * secondMs).pipe(epochMs),
  owner: optional(z.boolean()),
});
type Comment = z.output<typeof comment>;
const comments = z.object({
  data: z.object({
    comments: readableList(
      platform,
      comment.extend({ reply_list: readableList(platform, comment) }),
    ),
  }),
});
const videos = z.object({
  data: z.object({ videos: readableList(platform, z.object({ item_id: networkId })) }),
});
const latestVideos = 20;

/** Requests the download URL of an image or video. It requires the token in a header. */
export const locateFile: Required<LookupsApi>['locateFile'] = async (
  { platformUserId, accessToken },
  { customerId, messageId, mediaId, kind },
) => {
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
};

/** Returns the latest comments on the account's latest videos, oldest first. */
export const fetchComments: LookupsApi['fetchComments'] = async (credentials, since) => {
  const { data } = await callBusiness(credentials.accessToken, {
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
};

/**
 * Fetches the comment of an event that lacks the text or the author.
 *
 * Unverified: whether events contain them; third-party clients disagree. See docs/operations.md.
 */
export const completeEvent: Required<LookupsApi>['completeEvent'] = async (
  credentials,
  { messageId, platformPostId = '' },
) => {
  const found = await commentsOf(credentials, platformPostId, {
    comment_ids: JSON.stringify([messageId]),
    include_replies: 'true',
  });

  return found.find((one) => one.messageId === messageId);
};

async function commentsOf(
  { platformUserId, accessToken }: Credentials,
  videoId: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<readonly NormalisedEvent[]> {
  const { data } = await callBusiness(accessToken, {
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
    from: personOf({
      id: one.unique_identifier,
      name: one.display_name || one.username || one.unique_identifier,
      username: one.username,
    }),
    text: one.text,
    messageId: one.comment_id,
    platformPostId: one.video_id,
    ...(parent === undefined || parent === '0' ? {} : { parentId: parent }),
    isEcho: one.owner === true || one.unique_identifier === platformUserId,
    occurredAt: new Date(one.create_time).toISOString(),
  };
}
