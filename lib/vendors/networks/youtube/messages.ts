import { moment } from '#lib/vendors/networks/moments.ts';
import type { Credentials, NormalisedEvent, Sent } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callYouTube } from './call.ts';

const pageSize = 100;
/** What one look may find at most; each page costs a unit of the day's quota. */
const maxPages = 5;

const comment = z.object({
  id: z.string(),
  snippet: z.object({
    videoId: z.string().optional(),
    textDisplay: z.string().default(''),
    textOriginal: z.string().optional(),
    authorDisplayName: z.string().default(''),
    authorChannelId: z.object({ value: z.string() }).optional(),
    parentId: z.string().optional(),
    publishedAt: moment,
  }),
});
type Comment = z.output<typeof comment>;

const threads = z.object({
  items: z
    .array(
      z.object({
        snippet: z.object({ videoId: z.string().optional(), topLevelComment: comment }),
        replies: z.object({ comments: z.array(comment).default([]) }).optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});
type Thread = z.output<typeof threads>['items'][number];

/**
 * Comments on all of the channel's videos, and answers to them. Threads are ordered by their first
 * comment and carry few of their answers: a new answer to an old thread is seen only where the
 * thread is among the newest hundred.
 */
export async function fetchComments(
  credentials: Credentials,
  since: string,
  beforeCall?: () => Promise<void>,
): Promise<readonly NormalisedEvent[]> {
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
}

/** Answers go to the top of a thread: the id of an answer begins with its parent's and a dot. */
export async function replyToComment(
  credentials: Credentials,
  reply: { readonly commentId: string; readonly text: string },
): Promise<Sent> {
  const [parentId = reply.commentId] = reply.commentId.split('.');
  const answer = await callYouTube(credentials, {
    method: 'POST',
    path: '/comments',
    query: { part: 'snippet' },
    json: { snippet: { parentId, textOriginal: reply.text } },
  });

  return readAnswer('YOUTUBE', z.object({ id: z.string().min(1) }), answer, 'outcomeUnknown');
}

async function listThreads(credentials: Credentials, pageToken: string | undefined) {
  const answer = await callYouTube(credentials, {
    method: 'GET',
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

  return readAnswer('YOUTUBE', threads, answer);
}

/** The first comment and its answers; an answer does not always name its video. */
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
    // An author without a channel is known by the name alone.
    from: { id: authorId ?? snippet.authorDisplayName, name: snippet.authorDisplayName },
    to: undefined,
    text: snippet.textOriginal ?? snippet.textDisplay,
    messageId: id,
    ...(snippet.videoId === undefined ? {} : { platformPostId: snippet.videoId }),
    ...(snippet.parentId === undefined ? {} : { parentId: snippet.parentId }),
    isEcho: authorId === channelId,
    occurredAt: new Date(snippet.publishedAt).toISOString(),
  };
}
