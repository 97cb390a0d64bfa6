import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import {
  networkId,
  optional,
  optionalId,
  optionalText,
  readableList,
  textOrEmpty,
  timestampText,
} from '#lib/vendors/networks/lenient-fields.ts';
import type { Credentials, LookupsApi, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { personOf } from '#lib/vendors/networks/person-of.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const pageSize = 100;
/** Limits the cost of one fetch: each page costs a unit of the daily quota. */
const maxPages = 5;

const comment = z.object({
  id: networkId,
  snippet: z.object({
    videoId: optionalId,
    textDisplay: textOrEmpty,
    textOriginal: optionalText,
    authorDisplayName: textOrEmpty,
    authorProfileImageUrl: optionalText,
    authorChannelId: optional(z.object({ value: networkId })),
    parentId: optionalId,
    publishedAt: timestampText,
  }),
});
type Comment = z.output<typeof comment>;

const threads = z.object({
  items: readableList(
    platform,
    z.object({
      snippet: z.object({ videoId: optionalId, topLevelComment: comment }),
      replies: optional(z.object({ comments: readableList(platform, comment) })),
    }),
  ),
  nextPageToken: optionalText,
});
type Thread = z.output<typeof threads>['items'][number];

/**
 * Returns comments on all of the channel's videos, and replies to them. Threads are ordered by
 * their first comment and contain only some of their replies. A new reply to an old thread is found
 * only while the thread is among the newest hundred.
 */
export const fetchComments: LookupsApi['fetchComments'] = async (
  credentials,
  since,
  beforeCall,
) => {
  const sinceMs = Date.parse(since);
  const found: Comment[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    await beforeCall?.();
    const { items, nextPageToken } = await listThreads(credentials, pageToken);
    found.push(...items.flatMap(commentsOf));
    const oldest = items.at(-1)?.snippet.topLevelComment.snippet.publishedAt;
    pageToken = nextPageToken;
    if (!pageToken || !oldest || Date.parse(oldest) < sinceMs) {
      break;
    }
  }

  return found
    .filter(({ snippet }) => Date.parse(snippet.publishedAt) >= sinceMs)
    .map((one) => toEvent(credentials.platformUserId, one))
    .sort((one, other) => one.occurredAt.localeCompare(other.occurredAt));
};

async function listThreads(credentials: Credentials, pageToken: string | undefined) {
  const answer = await call(credentials, {
    path: '/commentThreads',
    query: {
      part: 'snippet,replies',
      allThreadsRelatedToChannelId: credentials.platformUserId,
      order: 'time',
      maxResults: pageSize,
      textFormat: 'plainText',
      pageToken,
    },
  });

  return readAnswer(platform, threads, answer);
}

/** Returns a thread's comments, and adds the video id, which replies may lack. */
function commentsOf({ snippet, replies }: Thread): readonly Comment[] {
  const all = [snippet.topLevelComment, ...(replies?.comments ?? [])];

  return all.map((one) => ({
    ...one,
    snippet: { ...one.snippet, videoId: one.snippet.videoId ?? snippet.videoId },
  }));
}

function toEvent(channelId: string, { id, snippet }: Comment): NormalisedEvent {
  const authorId = snippet.authorChannelId?.value;

  return {
    eventId: id,
    platformUserId: channelId,
    type: 'comment',
    channel: 'COMMENT',
    // An author without a channel has no id, so the name replaces it.
    from: personOf({
      id: authorId ?? snippet.authorDisplayName,
      name: snippet.authorDisplayName,
      avatarUrl: snippet.authorProfileImageUrl,
    }),
    text: snippet.textOriginal ?? snippet.textDisplay,
    messageId: id,
    ...(snippet.videoId === undefined ? {} : { platformPostId: snippet.videoId }),
    ...(snippet.parentId === undefined ? {} : { parentId: snippet.parentId }),
    isEcho: authorId === channelId,
    occurredAt: new Date(snippet.publishedAt).toISOString(),
  };
}
