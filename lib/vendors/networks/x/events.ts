import { timestamp } from '#lib/platform/clock.ts';
import { epochMs, moment } from '#lib/vendors/networks/moments.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { type TwitterPost, type TwitterTimeline, twitterPost, writtenText } from './metrics.ts';

const user = z.object({ name: z.string().optional(), username: z.string().optional() });
const privateMessage = z.object({
  id: z.string().min(1),
  /** Milliseconds, as a text. */
  created_timestamp: z.coerce.number().pipe(epochMs).optional(),
  message_create: z.object({
    sender_id: z.string().min(1),
    target: z.object({ recipient_id: z.string().min(1) }),
    message_data: z.object({ text: z.string().default('') }),
  }),
});
const messages = z.object({
  direct_message_events: z.array(privateMessage),
  users: z.record(z.string(), z.object({ data: user })).default({}),
});
const includes = z.object({
  users: z.array(user.extend({ id: z.string() })).default([]),
});
const revocation = z.object({ user_id: z.string().min(1), date_time: moment.optional() });
const delivery = z.object({
  data: z.object({
    event_uuid: z.string().min(1),
    event_type: z.string(),
    filter: z.object({ user_id: z.string().min(1).optional() }).default({}),
    payload: z.unknown().optional(),
    includes: z.unknown().optional(),
  }),
});
type Delivery = z.output<typeof delivery>['data'];

const postEvents: ReadonlySet<string> = new Set([
  'post.create',
  'post.mention.create',
  'post.reply.create',
  'post.quote.create',
]);

/**
 * The events of one delivery of X's Activity API. A post goes by its own id, not by the delivery's:
 * X announces one that is a reply and a mention at once as both.
 *
 * @throws SyntaxError for what is no delivery.
 */
export function parseTwitterEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  const parsed = delivery.safeParse(JSON.parse(rawBody.toString('utf8')));
  if (!parsed.success) {
    throw new SyntaxError('This is no delivery of X');
  }
  const { data } = parsed.data;
  if (data.event_type === 'oauth.revoke') {
    return revoked(data);
  }
  if (data.event_type === 'dm.received' || data.event_type === 'dm.sent') {
    return privateMessages(data);
  }

  return postEvents.has(data.event_type) ? postEvent(data) : [];
}

function privateMessages({ filter, payload }: Delivery): readonly NormalisedEvent[] {
  const { direct_message_events: events = [], users = {} } = messages.safeParse(payload).data ?? {};
  const named = (id: string) => ({ id, name: nameOf(users[id]?.data, id) });

  return events.map(({ id, created_timestamp: at, message_create: message }) => {
    const accountId = filter.user_id ?? message.target.recipient_id;
    const isEcho = message.sender_id === accountId;

    return {
      eventId: `dm-${id}`,
      platformUserId: accountId,
      type: 'message' as const,
      channel: 'DIRECT_MESSAGE' as const,
      from: named(message.sender_id),
      to: isEcho ? named(message.target.recipient_id) : undefined,
      text: message.message_data.text,
      messageId: id,
      isEcho,
      occurredAt: at === undefined ? timestamp() : new Date(at).toISOString(),
    };
  });
}

function postEvent({ filter, payload, includes: included }: Delivery): readonly NormalisedEvent[] {
  const post = twitterPost.safeParse(payload).data;
  if (!post?.author_id || filter.user_id === undefined) {
    return [];
  }
  const author = includes.safeParse(included).data?.users.find(({ id }) => id === post.author_id);

  return [normalisedPost(filter.user_id, post, nameOf(author, post.author_id))];
}

/** A post that names the account: an answer to one of its own, or a post of somebody's own. */
function normalisedPost(accountId: string, post: TwitterPost, author: string): NormalisedEvent {
  const repliedTo = post.referenced_tweets?.find(({ type }) => type === 'replied_to')?.id;
  const isEcho = post.author_id === accountId;

  return {
    eventId: `post-${post.id}`,
    platformUserId: accountId,
    type: typeOf(accountId, post, repliedTo),
    channel: repliedTo === undefined ? 'POST' : 'COMMENT',
    from: { id: post.author_id ?? '', name: author },
    to: undefined,
    text: writtenText(post),
    messageId: post.id,
    platformPostId: repliedTo === undefined ? post.id : (post.conversation_id ?? repliedTo),
    ...(repliedTo === undefined ? {} : { parentId: repliedTo }),
    isEcho,
    occurredAt:
      post.created_at === undefined ? timestamp() : new Date(post.created_at).toISOString(),
  };
}

function typeOf(
  accountId: string,
  post: TwitterPost,
  repliedTo: string | undefined,
): NormalisedEvent['type'] {
  if (repliedTo !== undefined && (post.in_reply_to_user_id ?? accountId) === accountId) {
    return 'comment';
  }

  return post.author_id === accountId ? 'post' : 'mention';
}

/** Posts that name the account, as events: what X would have told by itself. */
export function mentionsAsEvents(
  accountId: string,
  { data, includes: included }: TwitterTimeline,
): readonly NormalisedEvent[] {
  return data.map((post) => {
    const author = included?.users.find(({ id }) => id === post.author_id);

    return normalisedPost(accountId, post, nameOf(author, post.author_id ?? ''));
  });
}

function revoked({ event_uuid: id, payload }: Delivery): readonly NormalisedEvent[] {
  const { user_id: userId, date_time: at } = revocation.safeParse(payload).data ?? {};
  if (userId === undefined) {
    return [];
  }

  return [
    {
      eventId: id,
      platformUserId: userId,
      type: 'deauthorized',
      channel: 'POST',
      from: { id: userId, name: '' },
      to: undefined,
      text: '',
      messageId: id,
      isEcho: false,
      occurredAt: at === undefined ? timestamp() : new Date(at).toISOString(),
    },
  ];
}

function nameOf(person: z.output<typeof user> | undefined, id: string): string {
  return person?.name || person?.username || id;
}
