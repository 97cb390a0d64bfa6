import { timestamp } from '#lib/platform/clock.ts';
import {
  networkId,
  optional,
  optionalId,
  optionalMoment,
  optionalText,
  readableList,
  readPart,
  textOrEmpty,
  timestampText,
} from '#lib/vendors/networks/lenient-fields.ts';
import type { EventsApi, NormalisedEvent, SentFile } from '#lib/vendors/networks/network.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { parseWithLongIds } from '#lib/vendors/networks/parse-with-long-ids.ts';
import { namedFiles } from '#lib/vendors/networks/sent-files.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import { crcToken } from '#schemas/webhook-challenges.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';
import { postEvent, userOf } from './post-events.ts';
import { included, namedUser, postSchema } from './timeline.ts';

/** Unverified: files of messages, known from the Account Activity API. See docs/operations.md. */
const media = z.object({
  type: textOrEmpty,
  media_url_https: optionalText,
  video_info: optional(z.object({ variants: z.array(z.object({ url: z.string() })) })),
});
const privateMessage = z.object({
  id: networkId,
  /** In milliseconds, as a string. */
  created_timestamp: optionalMoment,
  message_create: z.object({
    sender_id: networkId,
    target: z.object({ recipient_id: networkId }),
    message_data: z.object({
      text: textOrEmpty,
      attachment: optional(z.object({ media: optional(media) })),
    }),
  }),
});
const messages = z.object({
  direct_message_events: readableList(platform, privateMessage),
  users: optional(z.record(z.string(), optional(z.object({ data: namedUser })))),
});
const revocation = z.object({ user_id: networkId, date_time: optional(timestampText) });
const delivery = z.object({
  data: z.object({
    event_uuid: optionalId,
    event_type: z.string(),
    filter: optional(z.object({ user_id: optionalId })),
    payload: z.unknown().optional(),
    includes: included,
  }),
});
type Delivery = z.output<typeof delivery>['data'];

const postEventTypes: ReadonlySet<string> = new Set([
  'post.create',
  'post.mention.create',
  'post.reply.create',
  'post.quote.create',
]);

export const answerChallenge: EventsApi['answerChallenge'] = async ({ crc_token: challenge }) => {
  const token = crcToken.safeParse(challenge);
  if (!token.success) {
    return undefined;
  }
  const digest = hmacOf(await signingSecret(), token.data).toString('base64');

  return {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ response_token: `sha256=${digest}` }),
  };
};

export const verifySignature: EventsApi['verifySignature'] = async (rawBody, headers) => {
  const [, signature] = /^sha256=(.+)$/.exec(headers['x-twitter-webhooks-signature'] ?? '') ?? [];
  // Anyone can get such a text signed by sending it as a challenge.
  if (crcToken.safeParse(rawBody.toString()).success) {
    return false;
  }

  return isSignature(signature, 'base64', hmacOf(await signingSecret(), rawBody));
};

/**
 * Returns the events of a delivery from X's Activity API. Uses the post's id as the event id,
 * because X delivers a post that is both a reply and a mention twice.
 *
 * @throws SyntaxError if the body is not a delivery from X.
 */
export const parseEvents: EventsApi['parseEvents'] = (rawBody) => {
  const parsed = delivery.safeParse(parseWithLongIds(rawBody.toString('utf8')));
  if (!parsed.success) {
    throw new SyntaxError('The body is not a delivery from X');
  }
  const { data } = parsed.data;
  if (data.event_type === 'oauth.revoke') {
    return deauthorizedEvent(data);
  }
  if (data.event_type === 'dm.received' || data.event_type === 'dm.sent') {
    return messageEvents(data);
  }

  return postEventTypes.has(data.event_type) ? postEvents(data) : [];
};

function messageEvents({ filter, payload }: Delivery): readonly NormalisedEvent[] {
  const { direct_message_events: events = [], users = {} } =
    readPart(platform, messages, payload) ?? {};
  const named = (id: string) => userOf(users[id]?.data, id);

  return events.map(({ id, created_timestamp: at, message_create: message }) => {
    const accountId = filter?.user_id ?? message.target.recipient_id;
    const isEcho = message.sender_id === accountId;

    return {
      eventId: `dm-${id}`,
      platformUserId: accountId,
      type: 'message' as const,
      channel: 'DIRECT_MESSAGE' as const,
      from: named(message.sender_id),
      to: isEcho ? named(message.target.recipient_id) : undefined,
      text: message.message_data.text,
      ...namedFiles(filesOf(message.message_data.attachment?.media)),
      messageId: id,
      isEcho,
      occurredAt: at === undefined ? timestamp() : new Date(at).toISOString(),
    };
  });
}

function filesOf(sent: z.output<typeof media> | undefined): readonly SentFile[] {
  if (!sent) {
    return [];
  }
  const url = sent.video_info?.variants[0]?.url ?? sent.media_url_https;
  const kind = sent.type === 'photo' ? 'IMAGE' : sent.video_info ? 'VIDEO' : 'OTHER';

  return [{ kind, ...(url === undefined ? {} : { url }) }];
}

function postEvents({ filter, payload, includes }: Delivery): readonly NormalisedEvent[] {
  const post = readPart(platform, postSchema, payload);
  const event = post && filter?.user_id && postEvent(filter.user_id, post, includes);

  return event ? [event] : [];
}

function deauthorizedEvent({ event_uuid: uuid, payload }: Delivery): readonly NormalisedEvent[] {
  const { user_id: userId, date_time: at } = readPart(platform, revocation, payload) ?? {};
  if (userId === undefined) {
    return [];
  }
  const id = uuid ?? `oauth.revoke-${userId}-${at ?? timestamp()}`;

  return [
    {
      eventId: id,
      platformUserId: userId,
      type: 'deauthorized',
      channel: 'POST',
      from: { id: userId, name: '' },
      text: '',
      messageId: id,
      isEcho: false,
      occurredAt: at === undefined ? timestamp() : new Date(at).toISOString(),
    },
  ];
}

/** X signs with the consumer secret, which differs from the OAuth 2 client secret. */
async function signingSecret(): Promise<string> {
  const { webhookSecret, clientSecret } = await networkApp(platform);

  return webhookSecret ?? clientSecret;
}
