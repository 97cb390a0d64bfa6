import {
  type Entry,
  isoTime,
  type MetaChange,
  parseMetaDelivery,
} from '#lib/vendors/networks/meta/meta-events.ts';
import { answerHubChallenge, isSignedByMeta } from '#lib/vendors/networks/meta/meta-webhook.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import type {
  ChallengeQuery,
  Credentials,
  Headers,
  NormalisedEvent,
  RawReply,
} from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import { leadEvent } from './lead-ads.ts';

const subscribedFields =
  'feed,messages,message_edits,messaging_postbacks,message_echoes,mention,leadgen';

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
/** Unverified: the fields of a mention. See docs/operations.md. */
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
const verbs = new Map([
  ['add', 'add'],
  ['edited', 'edit'],
  ['remove', 'withdraw'],
] as const satisfies ReadonlyArray<readonly [string, string]>) as ReadonlyMap<
  string,
  'add' | 'edit' | 'withdraw'
>;
/** The `item` values of a post. They depend on the post's content. */
const postItems: ReadonlySet<string> = new Set(['post', 'status', 'photo', 'video', 'share']);

/** Subscribes the page. The operator sets the callback URL once for the app. */
export async function subscribe(credentials: Credentials): Promise<void> {
  await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'subscribed_apps'),
    form: { subscribed_fields: subscribedFields },
    isHarmless: true,
  });
}

export async function unsubscribe(credentials: Credentials): Promise<void> {
  await call(credentials, {
    method: 'DELETE',
    path: pathOf(credentials.platformUserId, 'subscribed_apps'),
    isHarmless: true,
  });
}

export function answerChallenge(query: ChallengeQuery): Promise<RawReply | undefined> {
  return answerHubChallenge(platform, query);
}

export function verifySignature(rawBody: Buffer, headers: Headers): Promise<boolean> {
  return isSignedByMeta([platform], rawBody, headers);
}

/** @throws SyntaxError if the body is not a delivery for pages. */
export function parseEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  return parseMetaDelivery(rawBody, 'page', (entry, change) => {
    if (change.field === 'feed') {
      return feedEvent(entry, change);
    }
    if (change.field === 'leadgen') {
      return leadEvent(entry, change);
    }

    return change.field === 'mention' ? mentionEvent(entry, change) : undefined;
  });
}

/**
 * Returns a new comment or post, or the edit or removal of a comment. Ignores changes without an
 * author, because there is nobody to reply to.
 */
function feedEvent(entry: Entry, change: MetaChange): NormalisedEvent | undefined {
  const parsed = feedChange.safeParse(change.value);
  const verb = verbs.get(parsed.data?.verb ?? '');
  if (!parsed.success || verb === undefined) {
    return undefined;
  }
  const { item, post_id: postId, comment_id: commentId, parent_id: parentId, from } = parsed.data;
  const common = {
    platformUserId: entry.accountId,
    from,
    to: undefined,
    text: parsed.data.message,
    isEcho: from.id === entry.accountId,
    // Changes carry the time at which the comment was written.
    occurredAt: verb === 'add' ? timeOf(entry, parsed.data.created_time) : entry.occurredAt,
    platformPostId: postId,
  };
  if (item === 'comment' && commentId !== undefined) {
    return {
      ...common,
      eventId: verb === 'add' ? commentId : `${commentId}-${verb}-${common.occurredAt}`,
      ...(verb === 'add' ? {} : { action: verb }),
      messageId: commentId,
      type: 'comment',
      channel: 'COMMENT',
      // The parent of a top-level comment is the post.
      ...(parentId === undefined || parentId === postId ? {} : { parentId }),
    };
  }

  return postItems.has(item) && verb === 'add'
    ? { ...common, eventId: postId, messageId: postId, type: 'post', channel: 'POST' }
    : undefined;
}

/**
 * Returns a mention of the page. Uses the id of the comment or post as the event id, so a comment
 * that arrives under both fields is one event.
 */
function mentionEvent(entry: Entry, change: MetaChange): NormalisedEvent | undefined {
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
