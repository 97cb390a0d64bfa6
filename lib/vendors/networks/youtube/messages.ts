import type {
  CommentReply,
  Credentials,
  NormalisedEvent,
  Sent,
} from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { timestampText } from '#lib/vendors/networks/timestamps.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const pageSize = 100;
/** Limits the cost of one fetch: each page costs a unit of the daily quota. */
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
    publishedAt: timestampText,
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
 * Returns comments on all of the channel's videos, and replies to them. Threads are ordered by
 * their first comment and contain only some of their replies. A new reply to an old thread is found
 * only while the thread is among the newest hundred.
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

/** Replies to the thread's first comment. The id of a reply is `<parent id>.<reply id>`. */
export async function replyToComment(credentials: Credentials, reply: CommentReply): Promise<Sent> {
  const [parentId = reply.commentId] = reply.commentId.split('.');
  const answer = await call(credentials, {
    method: 'POST',
    path: '/comments',
    query: { part: 'snippet' },
    json: { snippet: { parentId, textOriginal: reply.text } },
  });

  return readAnswer(platform, z.object({ id: z.string().min(1) }), answer, 'outcomeUnknown');
}

async function listThreads(credentials: Credentials, pageToken: string | undefined) {
  const answer = await call(credentials, {
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
    // An author without a channel has only a name.
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
