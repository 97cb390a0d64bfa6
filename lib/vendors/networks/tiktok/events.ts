import { now, secondMs } from '#lib/platform/clock.ts';
import { parseJson } from '#lib/platform/parse-json.ts';
import {
  networkId,
  optional,
  optionalId,
  optionalMoment,
  optionalText,
  readPart,
  textOrEmpty,
} from '#lib/vendors/networks/lenient-fields.ts';
import type { EventsApi, NormalisedEvent, SentFile } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import {
  parseWithLongIds,
  tryParseWithLongIds,
} from '#lib/vendors/networks/parse-with-long-ids.ts';
import { personOf } from '#lib/vendors/networks/person-of.ts';
import { namedFiles } from '#lib/vendors/networks/sent-files.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';

/** Older deliveries are rejected as possible replays. */
const maxSignatureAgeMs = 300 * secondMs;

const authorizationRemoved = 'authorization.removed';

const delivery = z.object({
  event: z.string(),
  create_time: optionalMoment,
  user_openid: networkId,
  /** A JSON string. */
  content: z.unknown().optional(),
});
type Delivery = z.output<typeof delivery>;

const publication = z.object({
  publish_id: networkId,
  post_id: optionalId,
  reason: optionalText,
});
const media = optional(z.object({ media_id: networkId }));
const message = z.object({
  message_id: networkId,
  conversation_id: networkId,
  from: textOrEmpty,
  to: textOrEmpty,
  from_user: optional(z.object({ id: networkId })),
  text: optional(z.object({ body: textOrEmpty })),
  image: media,
  video: media,
  sticker: optional(z.object({ url: z.string() })),
  timestamp: optionalMoment,
});
const comment = z.object({
  comment_id: networkId,
  video_id: networkId,
  parent_comment_id: optionalId,
  comment_action: textOrEmpty,
  /** Absent in recorded deliveries, like the text. `completeEvent` fetches both. */
  unique_identifier: textOrEmpty,
  username: optionalText,
  text: textOrEmpty,
  owner: optional(z.boolean()),
  timestamp: optionalMoment,
});

/**
 * The states that publishing events report.
 *
 * Unverified: the name of the last event. See docs/operations.md.
 */
const publicationStates: Readonly<Record<string, 'published' | 'failed' | 'public' | 'hidden'>> = {
  'post.publish.complete': 'published',
  'post.publish.failed': 'failed',
  'post.publish.publicly_available': 'public',
  'post.publish.no_longer_publicaly_available': 'hidden',
};
/** Larger timestamps are in milliseconds (messages), smaller ones in seconds (all others). */
const firstMillisecond = 100_000_000_000;

/** Returns `undefined`: TikTok has no handshake. */
export const answerChallenge: EventsApi['answerChallenge'] = async () => undefined;

/**
 * Verifies a delivery with the secret of the app that sends its event. The Business app sends
 * messages and comments, the other app sends publications, and both send withdrawn consent.
 */
export const verifySignature: EventsApi['verifySignature'] = async (rawBody, headers) => {
  const [, at = '', signature] =
    /^t=(\d{1,12}),s=([0-9a-f]{64})$/.exec(headers['tiktok-signature'] ?? '') ?? [];
  const isFresh = Math.abs(now() - Number(at) * secondMs) <= maxSignatureAgeMs;
  const secrets = await secretsFor(eventOf(parseJson(rawBody.toString('utf8'))));

  return (
    isFresh &&
    secrets.some((secret) => isSignature(signature, 'hex', hmacOf(secret, `${at}.`, rawBody)))
  );
};

async function secretsFor(event: string | undefined): Promise<readonly string[]> {
  const { business, ...own } = await networkApp(platform);
  const apps = isBusinessEvent(event)
    ? [business]
    : event === authorizationRemoved
      ? [own, business]
      : [own];

  return apps.flatMap((app) => (app ? [app.webhookSecret ?? app.clientSecret] : []));
}

function isBusinessEvent(event: string | undefined): boolean {
  return event?.startsWith('im_') || event?.startsWith('comment.') || false;
}

/** Returns `undefined` if the body is not a delivery. `parseEvents` reports that. */
function eventOf(body: unknown): string | undefined {
  return z.object({ event: z.string() }).safeParse(body).data?.event;
}

/**
 * Returns the event of a delivery, or nothing for an event type that the service does not use.
 *
 * Unverified: the payloads of messages and comments, known only from third-party clients. See
 * docs/operations.md.
 *
 * @throws SyntaxError if the body is not a TikTok delivery.
 */
export const parseEvents: EventsApi['parseEvents'] = (rawBody) => {
  const parsed = parseWithLongIds(rawBody.toString('utf8'));
  const name = eventOf(parsed);
  if (name === undefined) {
    throw new SyntaxError('The body is not a delivery from TikTok');
  }
  const toEvent = parsers.get(name);
  const read = toEvent && readPart(platform, delivery, parsed);
  const event = read && toEvent(read);

  return event ? [event] : [];
};

const parsers: ReadonlyMap<string, (received: Delivery) => NormalisedEvent | undefined> = new Map([
  ['im_receive_msg', messageEvent],
  ['im_send_msg', messageEvent],
  ['comment.update', commentEvent],
  [authorizationRemoved, deauthorizedEvent],
  ...Object.keys(publicationStates).map((name) => [name, publicationEvent] as const),
]);

/** Reads the content of an event, which is JSON in a string. */
function contentOf<T>(schema: z.ZodType<T>, { content }: Delivery): T | undefined {
  const parsed = typeof content === 'string' ? tryParseWithLongIds(content) : content;

  return readPart(platform, schema, parsed);
}

/**
 * Uses the conversation's id as the customer's id: TikTok addresses replies to a conversation,
 * which belongs to one customer and one account.
 */
function messageEvent(event: Delivery): NormalisedEvent | undefined {
  const data = contentOf(message, event);
  if (!data) {
    return undefined;
  }
  const accountId = event.user_openid;
  const isEcho = event.event === 'im_send_msg' || data.from_user?.id === accountId;
  const account = { id: accountId, name: isEcho ? data.from : data.to };
  const customer = { id: data.conversation_id, name: isEcho ? data.to : data.from };

  return {
    eventId: `message-${data.message_id}`,
    platformUserId: accountId,
    type: 'message',
    channel: 'DIRECT_MESSAGE',
    from: isEcho ? account : customer,
    to: isEcho ? customer : undefined,
    text: data.text?.body ?? '',
    ...namedFiles(filesOf(data)),
    messageId: data.message_id,
    isEcho,
    occurredAt: isoTime(data.timestamp ?? event.create_time),
  };
}

function filesOf({ image, video, sticker }: z.output<typeof message>): readonly SentFile[] {
  return [
    ...(image ? [{ kind: 'IMAGE', mediaId: image.media_id } as const] : []),
    ...(video ? [{ kind: 'VIDEO', mediaId: video.media_id } as const] : []),
    ...(sticker ? [{ kind: 'STICKER', url: sticker.url } as const] : []),
  ];
}

/** Ignores visibility changes, which need no reply. */
function commentEvent(event: Delivery): NormalisedEvent | undefined {
  const data = contentOf(comment, event);
  const isDeleted = data?.comment_action === 'delete';
  if (!data || (data.comment_action !== 'insert' && !isDeleted)) {
    return undefined;
  }
  const { unique_identifier: author, parent_comment_id: parent } = data;

  return {
    eventId: `comment-${data.comment_id}${isDeleted ? '-withdraw' : ''}`,
    ...(isDeleted ? { action: 'withdraw' } : {}),
    platformUserId: event.user_openid,
    type: 'comment',
    channel: 'COMMENT',
    from: personOf({ id: author, name: data.username || author, username: data.username }),
    text: data.text,
    ...(data.text === '' || author === '' ? { isIncomplete: true } : {}),
    messageId: data.comment_id,
    platformPostId: data.video_id,
    ...(parent === undefined || parent === '0' ? {} : { parentId: parent }),
    isEcho: data.owner === true || author === event.user_openid,
    occurredAt: isoTime(data.timestamp ?? event.create_time),
  };
}

function publicationEvent(event: Delivery): NormalisedEvent | undefined {
  const data = contentOf(publication, event);
  if (!data) {
    return undefined;
  }

  return {
    ...accountFields(event),
    eventId: `${event.event}-${data.publish_id}-${data.post_id ?? ''}`,
    type: 'publication',
    messageId: data.publish_id,
    ...(data.post_id === undefined ? {} : { platformPostId: data.post_id }),
    details: {
      publishId: data.publish_id,
      state: publicationStates[event.event],
      ...(data.reason === undefined ? {} : { reason: data.reason }),
    },
  };
}

function deauthorizedEvent(event: Delivery): NormalisedEvent {
  const eventId = `${event.event}-${event.user_openid}-${event.create_time}`;

  return { ...accountFields(event), eventId, type: 'deauthorized', messageId: eventId };
}

function accountFields({ user_openid: accountId, create_time: at }: Delivery) {
  return {
    platformUserId: accountId,
    channel: 'POST' as const,
    from: { id: accountId, name: '' },
    text: '',
    isEcho: false,
    occurredAt: isoTime(at),
  };
}

function isoTime(value = now()): string {
  return new Date(value < firstMillisecond ? value * secondMs : value).toISOString();
}
