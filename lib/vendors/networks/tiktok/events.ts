import { secondMs } from '#lib/platform/clock.ts';
import { epochMs } from '#lib/vendors/networks/moments.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { parseWithLongIds } from './parse-with-long-ids.ts';

const id = z.union([z.string().min(1), z.number()]).transform(String);
const delivery = z.object({
  event: z.string(),
  create_time: epochMs,
  user_openid: z.string().min(1),
  /** JSON again, as a text. */
  content: z.string().default('{}'),
});
type Delivery = z.output<typeof delivery>;

const publication = z.object({
  publish_id: z.string().min(1),
  post_id: id.optional(),
  reason: z.string().optional(),
});
const person = z.object({ id: z.string() });
const message = z.object({
  message_id: z.string().min(1),
  conversation_id: z.string().min(1),
  from: z.string().default(''),
  to: z.string().default(''),
  from_user: person.optional(),
  text: z.object({ body: z.string() }).optional(),
  timestamp: epochMs.optional(),
});
const comment = z.object({
  comment_id: id,
  video_id: id,
  parent_comment_id: id.optional(),
  comment_action: z.string(),
  unique_identifier: z.string().min(1),
  username: z.string().optional(),
  text: z.string().default(''),
  owner: z.boolean().default(false),
  timestamp: epochMs.optional(),
});

/** What a publication's event says of it; the names beyond the first three are from memory. */
const publicationStates: Readonly<Record<string, 'published' | 'failed' | 'public' | 'hidden'>> = {
  'post.publish.complete': 'published',
  'post.publish.failed': 'failed',
  'post.publish.publicly_available': 'public',
  'post.publish.no_longer_publicaly_available': 'hidden',
};
/** Times of messages are in milliseconds, all others in seconds: by their size. */
const firstMillisecond = 100_000_000_000;

/**
 * The event of a delivery, if it is one that matters. Messages and comments are the Business API's,
 * whose payloads are known from clients alone.
 *
 * @throws SyntaxError for what is no delivery.
 */
export function parseTiktokEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  const parsed = delivery.safeParse(parseWithLongIds(rawBody.toString('utf8')));
  if (!parsed.success) {
    throw new SyntaxError('This is no delivery of TikTok');
  }
  const { event, content } = parsed.data;
  const told = parseWithLongIds(content);
  if (event === 'authorization.removed') {
    return [deauthorized(parsed.data)];
  }
  if (event === 'im_receive_msg' || event === 'im_send_msg') {
    return privateMessage(parsed.data, told);
  }
  if (event === 'comment.update') {
    return newComment(parsed.data, told);
  }

  return Object.hasOwn(publicationStates, event) ? publicationNews(parsed.data, told) : [];
}

/**
 * TikTok answers into a conversation, and never to a person: the conversation's id, which is that
 * of one customer and one account, stands for the customer.
 */
function privateMessage(event: Delivery, told: unknown): readonly NormalisedEvent[] {
  const { data } = message.safeParse(told);
  if (!data) {
    return [];
  }
  const accountId = event.user_openid;
  const isEcho = event.event === 'im_send_msg' || data.from_user?.id === accountId;
  const account = { id: accountId, name: isEcho ? data.from : data.to };
  const customer = { id: data.conversation_id, name: isEcho ? data.to : data.from };

  return [
    {
      eventId: `message-${data.message_id}`,
      platformUserId: accountId,
      type: 'message',
      channel: 'DIRECT_MESSAGE',
      from: isEcho ? account : customer,
      to: isEcho ? customer : undefined,
      text: data.text?.body ?? '',
      messageId: data.message_id,
      isEcho,
      occurredAt: asTime(data.timestamp ?? event.create_time),
    },
  ];
}

/** Deletions, and changes of who may see a comment, are nothing to answer. */
function newComment(event: Delivery, told: unknown): readonly NormalisedEvent[] {
  const { data } = comment.safeParse(told);
  if (data?.comment_action !== 'insert') {
    return [];
  }
  const { unique_identifier: author, parent_comment_id: parent } = data;

  return [
    {
      eventId: `comment-${data.comment_id}`,
      platformUserId: event.user_openid,
      type: 'comment',
      channel: 'COMMENT',
      from: { id: author, name: data.username || author },
      to: undefined,
      text: data.text,
      messageId: data.comment_id,
      platformPostId: data.video_id,
      ...(parent === undefined || parent === '0' ? {} : { parentId: parent }),
      isEcho: data.owner || author === event.user_openid,
      occurredAt: asTime(data.timestamp ?? event.create_time),
    },
  ];
}

function publicationNews(event: Delivery, told: unknown): readonly NormalisedEvent[] {
  const { data } = publication.safeParse(told);
  if (!data) {
    return [];
  }

  return [
    {
      ...aboutAccount(event),
      eventId: `${event.event}-${data.publish_id}-${data.post_id ?? ''}`,
      type: 'publication',
      messageId: data.publish_id,
      ...(data.post_id === undefined ? {} : { platformPostId: data.post_id }),
      details: {
        publishId: data.publish_id,
        state: publicationStates[event.event],
        ...(data.reason === undefined ? {} : { reason: data.reason }),
      },
    },
  ];
}

function deauthorized(event: Delivery): NormalisedEvent {
  const eventId = `${event.event}-${event.user_openid}-${event.create_time}`;

  return { ...aboutAccount(event), eventId, type: 'deauthorized', messageId: eventId };
}

function aboutAccount({ user_openid: accountId, create_time: at }: Delivery) {
  return {
    platformUserId: accountId,
    channel: 'POST' as const,
    from: { id: accountId, name: '' },
    to: undefined,
    text: '',
    isEcho: false,
    occurredAt: asTime(at),
  };
}

function asTime(value: number): string {
  return new Date(value < firstMillisecond ? value * secondMs : value).toISOString();
}
