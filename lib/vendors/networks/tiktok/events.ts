import { now, secondMs } from '#lib/platform/clock.ts';
import type {
  Credentials,
  Headers,
  NormalisedEvent,
  SentFile,
} from '#lib/vendors/networks/network.ts';
import { asAppCall, networkApp } from '#lib/vendors/networks/network-app.ts';
import { namedFiles } from '#lib/vendors/networks/sent-files.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import { epochMs } from '#lib/vendors/networks/timestamps.ts';
import * as z from '#schemas/zod.ts';
import { businessApp } from './business-app.ts';
import { callBusiness, platform } from './call.ts';
import { parseWithLongIds } from './parse-with-long-ids.ts';

/** Unverified: `COMMENT`, known only from third-party clients. See docs/operations.md. */
const subscribedEvents = ['DIRECT_MESSAGE', 'COMMENT'] as const;

/** Older deliveries are rejected as possible replays. */
const maxSignatureAgeMs = 300 * secondMs;

const authorizationRemoved = 'authorization.removed';

const id = z.union([z.string().min(1), z.number()]).transform(String);
const delivery = z.object({
  event: z.string(),
  create_time: epochMs,
  user_openid: z.string().min(1),
  /** A JSON string. */
  content: z.string().default('{}'),
});
type Delivery = z.output<typeof delivery>;

const publication = z.object({
  publish_id: z.string().min(1),
  post_id: id.optional(),
  reason: z.string().optional(),
});
const person = z.object({ id: z.string() });
const media = z.object({ media_id: id });
const message = z.object({
  message_id: z.string().min(1),
  conversation_id: z.string().min(1),
  from: z.string().default(''),
  to: z.string().default(''),
  from_user: person.optional(),
  text: z.object({ body: z.string() }).optional(),
  image: media.optional(),
  video: media.optional(),
  sticker: z.object({ url: z.string() }).optional(),
  timestamp: epochMs.optional(),
});
const comment = z.object({
  comment_id: id,
  video_id: id,
  parent_comment_id: id.optional(),
  comment_action: z.string(),
  /** Absent in recorded deliveries, as is the text. `completeEvent` fetches both. */
  unique_identifier: z.string().default(''),
  username: z.string().optional(),
  text: z.string().default(''),
  owner: z.boolean().default(false),
  timestamp: epochMs.optional(),
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

/**
 * Sets the Business app's webhooks. They belong to the app, so every account makes the same call.
 */
export async function subscribe(_credentials: Credentials, callbackUrl: string): Promise<void> {
  const app = await businessApp();
  await asAppCall(
    Promise.all(
      subscribedEvents.map((eventType) =>
        callBusiness(undefined, {
          method: 'POST',
          path: '/business/webhook/update/',
          json: {
            app_id: app.clientId,
            secret: app.clientSecret,
            event_type: eventType,
            callback_url: callbackUrl,
          },
          isHarmless: true,
          answer: z.unknown(),
        }),
      ),
    ),
  );
}

/** Does nothing: the webhooks belong to the app and serve every other account too. */
export async function unsubscribe(): Promise<void> {}

/** Returns `undefined`: TikTok has no handshake. */
export async function answerChallenge(): Promise<undefined> {
  return undefined;
}

/**
 * Verifies a delivery with the secret of the app that sends its event. Messages and comments come
 * from the Business app, publications from the other one, and withdrawn consent from either.
 */
export async function verifySignature(rawBody: Buffer, headers: Headers): Promise<boolean> {
  const [, at = '', signature] =
    /^t=(\d{1,12}),s=([0-9a-f]{64})$/.exec(headers['tiktok-signature'] ?? '') ?? [];
  const isFresh = Math.abs(now() - Number(at) * secondMs) <= maxSignatureAgeMs;
  const secrets = await secretsFor(eventOf(rawBody));

  return (
    isFresh &&
    secrets.some((secret) => isSignature(signature, 'hex', hmacOf(secret, `${at}.`, rawBody)))
  );
}

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
function eventOf(rawBody: Buffer): string | undefined {
  try {
    return z.object({ event: z.string() }).safeParse(JSON.parse(rawBody.toString('utf8'))).data
      ?.event;
  } catch {
    return undefined;
  }
}

/**
 * Returns the event of a delivery, or nothing for an event type that the service does not use.
 *
 * Unverified: the payloads of messages and comments, known only from third-party clients. See
 * docs/operations.md.
 *
 * @throws SyntaxError if the body is not a TikTok delivery.
 */
export function parseEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  const parsed = delivery.safeParse(parseWithLongIds(rawBody.toString('utf8')));
  if (!parsed.success) {
    throw new SyntaxError('The body is not a delivery from TikTok');
  }
  const { event } = parsed.data;
  const content = parseWithLongIds(parsed.data.content);
  if (event === authorizationRemoved) {
    return [deauthorizedEvent(parsed.data)];
  }
  if (event === 'im_receive_msg' || event === 'im_send_msg') {
    return messageEvent(parsed.data, content);
  }
  if (event === 'comment.update') {
    return commentEvent(parsed.data, content);
  }

  return Object.hasOwn(publicationStates, event) ? publicationEvent(parsed.data, content) : [];
}

/**
 * Uses the conversation's id as the customer's id: TikTok sends replies to a conversation, which
 * belongs to one customer and one account.
 */
function messageEvent(event: Delivery, content: unknown): readonly NormalisedEvent[] {
  const { data } = message.safeParse(content);
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
      ...namedFiles(filesOf(data)),
      messageId: data.message_id,
      isEcho,
      occurredAt: isoTime(data.timestamp ?? event.create_time),
    },
  ];
}

function filesOf({ image, video, sticker }: z.output<typeof message>): readonly SentFile[] {
  return [
    ...(image ? [{ kind: 'IMAGE', mediaId: image.media_id } as const] : []),
    ...(video ? [{ kind: 'VIDEO', mediaId: video.media_id } as const] : []),
    ...(sticker ? [{ kind: 'STICKER', url: sticker.url } as const] : []),
  ];
}

/** Ignores deletions and visibility changes: they need no reply. */
function commentEvent(event: Delivery, content: unknown): readonly NormalisedEvent[] {
  const { data } = comment.safeParse(content);
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
      occurredAt: isoTime(data.timestamp ?? event.create_time),
    },
  ];
}

function publicationEvent(event: Delivery, content: unknown): readonly NormalisedEvent[] {
  const { data } = publication.safeParse(content);
  if (!data) {
    return [];
  }

  return [
    {
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
    },
  ];
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
    to: undefined,
    text: '',
    isEcho: false,
    occurredAt: isoTime(at),
  };
}

function isoTime(value: number): string {
  return new Date(value < firstMillisecond ? value * secondMs : value).toISOString();
}
