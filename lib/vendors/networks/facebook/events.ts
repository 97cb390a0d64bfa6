import { createHash } from 'node:crypto';
import {
  networkId,
  optional,
  optionalId,
  optionalMoment,
  optionalText,
  readPart,
  reportUnreadable,
  textOrEmpty,
} from '#lib/vendors/networks/lenient-fields.ts';
import {
  type Entry,
  isoTime,
  type MetaChange,
  parseMetaDelivery,
} from '#lib/vendors/networks/meta/meta-events.ts';
import { answerHubChallenge, isSignedByMeta } from '#lib/vendors/networks/meta/meta-webhook.ts';
import type { EventsApi, NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';
import { leadEvent } from './lead-ads.ts';

const person = z.object({ id: networkId, name: textOrEmpty });
const feedChange = z.object({
  item: textOrEmpty,
  verb: textOrEmpty,
  post_id: optionalId,
  comment_id: optionalId,
  parent_id: optionalId,
  from: optional(person),
  message: optionalText,
  created_time: optionalMoment,
});
/** Unverified: the fields of a mention. See docs/operations.md. */
const mentionChange = z.object({
  verb: textOrEmpty,
  post_id: networkId,
  comment_id: optionalId,
  sender_id: networkId,
  sender_name: textOrEmpty,
  message: textOrEmpty,
  created_time: optionalMoment,
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

export const answerChallenge: EventsApi['answerChallenge'] = (query) =>
  answerHubChallenge(platform, query);

export const verifySignature: EventsApi['verifySignature'] = (rawBody, headers) =>
  isSignedByMeta([platform], rawBody, headers);

/** @throws SyntaxError if the body is not a delivery for pages. */
export const parseEvents: EventsApi['parseEvents'] = (rawBody) =>
  parseMetaDelivery(rawBody, platform, (entry, change) => {
    if (change.field === 'feed') {
      return feedEvent(entry, change);
    }
    if (change.field === 'leadgen') {
      return leadEvent(entry, change);
    }

    return change.field === 'mention' ? mentionEvent(entry, change) : undefined;
  });

/**
 * Returns a new comment or post, or its edit or removal. Ignores new ones without an author,
 * because nobody could receive a reply. Removals do not always contain a person.
 */
function feedEvent(entry: Entry, change: MetaChange): NormalisedEvent | undefined {
  const read = readPart(platform, feedChange, change.value);
  const verb = verbs.get(read?.verb ?? '');
  // An edit without a text changed something other than the text.
  const isOther = verb === 'edit' && read?.message === undefined;
  if (!read || verb === undefined || isOther || (verb === 'add' && !read.from)) {
    return undefined;
  }
  const { item, post_id: postId, comment_id: commentId, parent_id: parentId } = read;
  const { from = { id: '', name: '' }, message: text = '' } = read;
  const said = { verb, text, createdAt: read.created_time };
  const isEcho = from.id === entry.accountId;
  const common = {
    platformUserId: entry.accountId,
    from,
    isEcho,
    ...(postId === undefined ? {} : { platformPostId: postId }),
  };
  if (item === 'comment') {
    if (commentId === undefined) {
      reportUnreadable(platform, ['comment_id: missing']);

      return undefined;
    }

    return {
      ...common,
      ...saidOf(entry, said, commentId),
      type: 'comment',
      channel: 'COMMENT',
      // The parent of a top-level comment is the post.
      ...(parentId === undefined || parentId === postId ? {} : { parentId }),
    };
  }

  // The page's own posts are not messages.
  const isOwnChange = isEcho && verb !== 'add';

  return postItems.has(item) && postId !== undefined && !isOwnChange
    ? { ...common, ...saidOf(entry, said, postId), type: 'post', channel: 'POST' }
    : undefined;
}

type Said = {
  readonly verb: 'add' | 'edit' | 'withdraw';
  readonly text: string;
  readonly createdAt: number | undefined;
};

/**
 * Changes contain the time at which the comment was written, and several changes can have the same
 * time.
 */
function saidOf(entry: Entry, { verb, text, createdAt }: Said, messageId: string) {
  if (verb === 'add') {
    return { eventId: messageId, messageId, text, occurredAt: timeOf(entry, createdAt) };
  }
  const { occurredAt } = entry;
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  const eventId = `${messageId}-${verb}-${occurredAt}-${digest}`;

  return { eventId, messageId, text, action: verb, occurredAt };
}

/**
 * Returns a mention of the page, or its edit or removal. Uses the id of the comment or post as the event id, so a comment
 * that arrives under both fields is one event.
 */
function mentionEvent(entry: Entry, change: MetaChange): NormalisedEvent | undefined {
  const read = readPart(platform, mentionChange, change.value);
  const verb = verbs.get(read?.verb ?? '');
  if (!read || verb === undefined) {
    return undefined;
  }
  const { post_id: postId, comment_id: commentId, sender_id: id, sender_name: name } = read;
  const subject = commentId ?? postId;

  return {
    ...saidOf(entry, { verb, text: read.message, createdAt: read.created_time }, subject),
    platformUserId: entry.accountId,
    type: 'mention',
    channel: commentId === undefined ? 'POST' : 'COMMENT',
    from: { id, name },
    platformPostId: postId,
    isEcho: id === entry.accountId,
  };
}

function timeOf(entry: Entry, seconds: number | undefined): string {
  return seconds === undefined ? entry.occurredAt : isoTime(seconds);
}
