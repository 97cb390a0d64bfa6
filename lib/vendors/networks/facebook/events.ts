import {
  type Change,
  type Entry,
  isoTime,
  parseMetaDelivery,
} from '#lib/vendors/networks/meta/meta-events.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';

const person = z.object({ id: z.string(), name: z.string().default('') });
const feedChange = z.object({
  item: z.string(),
  verb: z.string(),
  post_id: z.string(),
  comment_id: z.string().optional(),
  parent_id: z.string().optional(),
  from: person,
  message: z.string().default(''),
  created_time: z.number().optional(),
});
/** M: the fields of a mention. */
const mentionChange = z.object({
  item: z.string(),
  verb: z.string(),
  post_id: z.string(),
  comment_id: z.string().optional(),
  sender_id: z.string(),
  sender_name: z.string().default(''),
  message: z.string().default(''),
  created_time: z.number().optional(),
});
/** What a post that is not a comment is called, by what it carries. */
const postItems: ReadonlySet<string> = new Set(['post', 'status', 'photo', 'video', 'share']);

/** @throws SyntaxError for a body that is no delivery for pages. */
export function parseFacebookEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  return parseMetaDelivery(rawBody, 'page', (entry, change) => {
    if (change.field === 'feed') {
      return feedEvent(entry, change);
    }

    return change.field === 'mention' ? mentionEvent(entry, change) : undefined;
  });
}

/**
 * A new comment or post. Edits and removals are no events, nor is what comes without its author,
 * to whom nothing could be answered.
 */
function feedEvent(entry: Entry, change: Change): NormalisedEvent | undefined {
  const parsed = feedChange.safeParse(change.value);
  if (!parsed.success || parsed.data.verb !== 'add') {
    return undefined;
  }
  const { item, post_id: postId, comment_id: commentId, parent_id: parentId, from } = parsed.data;
  const common = {
    platformUserId: entry.accountId,
    from,
    to: undefined,
    text: parsed.data.message,
    isEcho: from.id === entry.accountId,
    occurredAt: timeOf(entry, parsed.data.created_time),
    platformPostId: postId,
  };
  if (item === 'comment' && commentId !== undefined) {
    return {
      ...common,
      eventId: commentId,
      messageId: commentId,
      type: 'comment',
      channel: 'COMMENT',
      // A comment on the post itself names the post here.
      ...(parentId === undefined || parentId === postId ? {} : { parentId }),
    };
  }

  return postItems.has(item)
    ? { ...common, eventId: postId, messageId: postId, type: 'post', channel: 'POST' }
    : undefined;
}

/**
 * A mention of the page. Its event id is the comment's or post's own, so that a comment that comes
 * under both fields is one event.
 */
function mentionEvent(entry: Entry, change: Change): NormalisedEvent | undefined {
  const parsed = mentionChange.safeParse(change.value);
  if (!parsed.success || parsed.data.verb !== 'add') {
    return undefined;
  }
  const { post_id: postId, comment_id: commentId, sender_id: id, sender_name: name } = parsed.data;
  const subject = commentId ?? postId;

  return {
    eventId: subject,
    platformUserId: entry.accountId,
    type: 'mention',
    channel: commentId === undefined ? 'POST' : 'COMMENT',
    from: { id, name },
    to: undefined,
    text: parsed.data.message,
    messageId: subject,
    platformPostId: postId,
    isEcho: id === entry.accountId,
    occurredAt: timeOf(entry, parsed.data.created_time),
  };
}

function timeOf(entry: Entry, seconds: number | undefined): string {
  return seconds === undefined ? entry.occurredAt : isoTime(seconds);
}
