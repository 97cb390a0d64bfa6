import type { NormalisedEvent, SentFile } from '#lib/vendors/networks/network.ts';
import { namedFiles } from '#lib/vendors/networks/sent-files.ts';
import type { AttachmentKind } from '#schemas/conversations.ts';
import * as z from '#schemas/zod.ts';

const person = z.object({ id: z.string() });
const file = z.object({
  type: z.string().optional(),
  payload: z
    .object({
      url: z.string().optional(),
      sticker_id: z.union([z.number(), z.string()]).optional(),
    })
    .nullish(),
});
const messagingItem = z.object({
  sender: person,
  recipient: person,
  /** Milliseconds. */
  timestamp: z.number(),
  message: z
    .object({
      mid: z.string(),
      text: z.string().default(''),
      is_echo: z.boolean().default(false),
      is_deleted: z.boolean().default(false),
      metadata: z.string().optional(),
      attachments: z.array(file).default([]),
      reply_to: z.object({ story: z.object({ url: z.string().optional() }).optional() }).optional(),
    })
    .optional(),
  message_edit: z
    .object({ mid: z.string(), text: z.string().default(''), num_edit: z.number().default(1) })
    .optional(),
  /** A tapped button. Its payload is the customer's message, and its title if there is none. */
  postback: z
    .object({ mid: z.string(), title: z.string().default(''), payload: z.string().optional() })
    .optional(),
});
const change = z.object({ field: z.string(), value: z.unknown() });
const delivery = z.object({
  object: z.string(),
  entry: z.array(
    z.object({
      id: z.string(),
      /** Seconds, but milliseconds for messages. */
      time: z.number().default(0),
      messaging: z.array(z.unknown()).default([]),
      changes: z.array(z.unknown()).default([]),
    }),
  ),
});

export type MetaChange = z.output<typeof change>;
export type Entry = { readonly accountId: string; readonly occurredAt: string };

/**
 * Returns the events of a delivery from Meta. Skips unknown kinds: Meta adds new ones without
 * notice, and they must not block the known events of the same batch.
 *
 * @throws SyntaxError if the body is not a delivery for this object.
 */
export function parseMetaDelivery(
  rawBody: Buffer,
  object: 'page' | 'instagram',
  readChange: (entry: Entry, change: MetaChange) => NormalisedEvent | undefined,
): readonly NormalisedEvent[] {
  const parsed = delivery.safeParse(JSON.parse(rawBody.toString('utf8')));
  if (!parsed.success || parsed.data.object !== object) {
    throw new SyntaxError(`The body is not a delivery for ${object}`);
  }

  return parsed.data.entry.flatMap(({ id, time, messaging, changes }) => {
    const entry: Entry = { accountId: id, occurredAt: isoTime(time) };

    return [
      ...messaging.flatMap((item) => messageEvent(id, item) ?? []),
      ...changes.flatMap((item) => {
        const known = change.safeParse(item);

        return known.success ? (readChange(entry, known.data) ?? []) : [];
      }),
    ];
  });
}

function messageEvent(accountId: string, item: unknown): NormalisedEvent | undefined {
  const parsed = messagingItem.safeParse(item);
  if (!parsed.success) {
    return undefined;
  }
  const { sender, recipient, timestamp, message, message_edit: edit, postback } = parsed.data;
  const mid = message?.mid ?? postback?.mid ?? edit?.mid;
  if (mid === undefined) {
    return undefined;
  }
  // A story mention arrives as a message but does not open the reply window.
  const isStoryMention = message?.attachments.some(({ type }) => type === 'story_mention') ?? false;
  // Messages contain no names.
  const nameless = (id: string) => ({ id, name: '' });
  const isEcho = message?.is_echo === true || sender.id === accountId;

  return {
    eventId: eventIdOf(mid, edit?.num_edit, message?.is_deleted),
    platformUserId: accountId,
    type: isStoryMention ? 'mention' : 'message',
    channel: isStoryMention ? 'POST' : 'DIRECT_MESSAGE',
    from: nameless(sender.id),
    to: isEcho ? nameless(recipient.id) : undefined,
    text: message?.text ?? edit?.text ?? postback?.payload ?? postback?.title ?? '',
    messageId: mid,
    isEcho,
    ...namedFiles(message ? filesOf(message) : []),
    ...(edit ? { action: 'edit' as const } : {}),
    ...(message?.is_deleted ? { action: 'withdraw' as const } : {}),
    ...(message?.metadata === undefined ? {} : { echoTag: message.metadata }),
    occurredAt: isoTime(timestamp),
  };
}

/** Converts Meta's timestamps, which are in seconds or in milliseconds, to ISO 8601. */
export function isoTime(time: number): string {
  const firstMs = 100_000_000_000;
  const ms = time < firstMs ? time * 1_000 : time;

  return new Date(Math.min(Math.max(ms, 0), 8_640_000_000_000_000)).toISOString();
}

/** A message, its edits and its removal are different events. */
function eventIdOf(mid: string, edits: number | undefined, isDeleted: boolean | undefined): string {
  if (edits !== undefined) {
    return `${mid}-edit-${edits}`;
  }

  return isDeleted ? `${mid}-withdraw` : mid;
}

type Message = NonNullable<z.output<typeof messagingItem>['message']>;

const kinds: Readonly<Record<string, AttachmentKind>> = {
  image: 'IMAGE',
  video: 'VIDEO',
  audio: 'AUDIO',
  file: 'FILE',
  like_heart: 'STICKER',
  story_mention: 'STORY',
};

function filesOf({ attachments, reply_to: replyTo }: Message): readonly SentFile[] {
  const sent = attachments.map(({ type = '', payload }) => ({
    kind: payload?.sticker_id === undefined ? (kinds[type] ?? 'OTHER') : 'STICKER',
    ...(payload?.url === undefined ? {} : { url: payload.url }),
  }));
  const story = replyTo?.story;

  return story
    ? [...sent, { kind: 'STORY', ...(story.url === undefined ? {} : { url: story.url }) }]
    : sent;
}
