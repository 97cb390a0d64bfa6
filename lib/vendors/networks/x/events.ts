import { timestamp } from '#lib/platform/clock.ts';
import type {
  ChallengeQuery,
  Credentials,
  Headers,
  NormalisedEvent,
  RawReply,
  SentFile,
  SubscriptionOutcome,
} from '#lib/vendors/networks/network.ts';
import { asAppCall, networkApp } from '#lib/vendors/networks/network-app.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { namedFiles } from '#lib/vendors/networks/sent-files.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import { epochMs, timestampText } from '#lib/vendors/networks/timestamps.ts';
import { crcToken } from '#schemas/webhook-challenges.ts';
import * as z from '#schemas/zod.ts';
import { platform } from './call.ts';
import { namedUser, nameOf, toEvent } from './post-events.ts';
import {
  createSubscription,
  endSubscription,
  ensureWebhook,
  listSubscriptions,
} from './subscriptions.ts';
import { postSchema } from './timeline.ts';

/**
 * The event types that bring comments. A reply is no mention: its implicit mention of the account
 * fires no `post.mention.create`.
 */
const commentEvents = ['post.reply.create', 'post.mention.create'] as const;
/** The event types without which a subscription fails. */
const requiredEvents = ['dm.received', 'dm.sent', 'post.create'] as const;
const optionalEvents = ['post.quote.create'] as const;
/** Unverified: files of messages. Known from the Account Activity API. See docs/operations.md. */
const media = z.object({
  type: z.string(),
  media_url_https: z.string().optional(),
  video_info: z.object({ variants: z.array(z.object({ url: z.string() })) }).optional(),
});
const privateMessage = z.object({
  id: z.string().min(1),
  /** Milliseconds, as a string. */
  created_timestamp: z.coerce.number().pipe(epochMs).optional(),
  message_create: z.object({
    sender_id: z.string().min(1),
    target: z.object({ recipient_id: z.string().min(1) }),
    message_data: z.object({
      text: z.string().default(''),
      attachment: z.object({ media: media.optional() }).optional(),
    }),
  }),
});
const messages = z.object({
  direct_message_events: z.array(privateMessage),
  users: z.record(z.string(), z.object({ data: namedUser })).default({}),
});
const includes = z.object({
  users: z.array(namedUser.extend({ id: z.string() })).default([]),
});
const revocation = z.object({ user_id: z.string().min(1), date_time: timestampText.optional() });
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

const postEventTypes: ReadonlySet<string> = new Set([
  'post.create',
  'post.mention.create',
  'post.reply.create',
  'post.quote.create',
]);

/**
 * Subscribes the account to the app's webhook. Creates the webhook if it does not exist.
 *
 * @returns `withoutComments` if X rejects the events that bring comments.
 * @throws NetworkError if another subscription fails, after all were tried.
 */
export async function subscribe(
  credentials: Credentials,
  callbackUrl: string,
): Promise<SubscriptionOutcome> {
  const appToken = await requireAppToken();
  const [webhookId, known] = await asAppCall(
    Promise.all([
      ensureWebhook(appToken, callbackUrl),
      listSubscriptions(appToken, credentials.platformUserId),
    ]),
  );
  const request = async (type: string): Promise<void> => {
    if (!known.some((one) => one.event_type === type && one.webhook_id === webhookId)) {
      await createSubscription(credentials, webhookId, type);
    }
  };
  const tried = await Promise.allSettled([
    Promise.all(requiredEvents.map(request)),
    acceptsAll(commentEvents.map(request)),
    acceptsAll(optionalEvents.map(request)),
  ]);
  const failed = tried.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    throw failed.reason;
  }
  const [, comments] = tried;

  return comments.status === 'fulfilled' && comments.value ? undefined : 'withoutComments';
}

/** Returns false if X rejects one of the subscriptions permanently. */
async function acceptsAll(subscriptions: ReadonlyArray<Promise<void>>): Promise<boolean> {
  const tried = await Promise.allSettled(subscriptions);
  const failures = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const other = failures.find((failure) => !isRejection(failure));
  if (other !== undefined) {
    throw other;
  }

  return failures.length === 0;
}

/** Deletes the account's subscriptions. Keeps the webhook, which serves all accounts. */
export async function unsubscribe({ platformUserId }: Credentials): Promise<void> {
  const appToken = await requireAppToken();
  const known = await asAppCall(listSubscriptions(appToken, platformUserId));
  await asAppCall(Promise.all(known.map((one) => endSubscription(appToken, one))));
}

async function requireAppToken(): Promise<string> {
  const { appToken } = await networkApp(platform);
  if (appToken === undefined) {
    throw new NetworkError(platform, 'unavailable', {
      message: 'The secret has no app token for managing webhooks',
    });
  }

  return appToken;
}

export async function answerChallenge({
  crc_token: challenge,
}: ChallengeQuery): Promise<RawReply | undefined> {
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
}

export async function verifySignature(rawBody: Buffer, headers: Headers): Promise<boolean> {
  const [, signature] = /^sha256=(.+)$/.exec(headers['x-twitter-webhooks-signature'] ?? '') ?? [];
  // Anyone can get such a text signed by sending it as a challenge.
  if (crcToken.safeParse(rawBody.toString()).success) {
    return false;
  }

  return isSignature(signature, 'base64', hmacOf(await signingSecret(), rawBody));
}

/**
 * Returns the events of a delivery from X's Activity API. Uses the post's id as the event id,
 * because X delivers a post that is both a reply and a mention twice.
 *
 * @throws SyntaxError if the body is not a delivery from X.
 */
export function parseEvents(rawBody: Buffer): readonly NormalisedEvent[] {
  const parsed = delivery.safeParse(JSON.parse(rawBody.toString('utf8')));
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
}

function messageEvents({ filter, payload }: Delivery): readonly NormalisedEvent[] {
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

function postEvents({ filter, payload, includes: included }: Delivery): readonly NormalisedEvent[] {
  const post = postSchema.safeParse(payload).data;
  if (!post?.author_id || filter.user_id === undefined) {
    return [];
  }
  const author = includes.safeParse(included).data?.users.find(({ id }) => id === post.author_id);

  return [toEvent(filter.user_id, post, nameOf(author, post.author_id))];
}

function deauthorizedEvent({ event_uuid: id, payload }: Delivery): readonly NormalisedEvent[] {
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

function isRejection(failure: unknown): boolean {
  return (
    failure instanceof NetworkError &&
    (failure.kind === 'refused' || failure.kind === 'scopeMissing')
  );
}

/** X signs with the consumer secret, which differs from the OAuth 2 client secret. */
async function signingSecret(): Promise<string> {
  const { webhookSecret, clientSecret } = await networkApp(platform);

  return webhookSecret ?? clientSecret;
}
