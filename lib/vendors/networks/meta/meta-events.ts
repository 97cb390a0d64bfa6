import { timestamp } from '#lib/platform/clock.ts';
import {
  networkId,
  optional,
  optionalId,
  optionalMoment,
  optionalNumber,
  optionalText,
  orAbsent,
  readableItems,
  readableList,
  readPart,
  textOrEmpty,
} from '#lib/vendors/networks/lenient-fields.ts';
import type { NormalisedEvent, SentFile } from '#lib/vendors/networks/network.ts';
import { parseWithLongIds } from '#lib/vendors/networks/parse-with-long-ids.ts';
import { namedFiles } from '#lib/vendors/networks/sent-files.ts';
import type { AttachmentKind } from '#schemas/conversations.ts';
import * as z from '#schemas/zod.ts';

const person = optional(z.object({ id: networkId }));
const file = z.object({
  type: textOrEmpty,
  payload: optional(z.object({ url: optionalText, sticker_id: optionalText })),
});
const message = z.object({
  mid: networkId,
  text: textOrEmpty,
  is_echo: optional(z.boolean()),
  is_deleted: optional(z.boolean()),
  metadata: optionalText,
  attachments: optional(z.array(file.catch({ type: '', payload: undefined }))),
  reply_to: optional(z.object({ story: optional(z.object({ url: optionalText })) })),
});
/** Instagram announces new messages as edits with the number 0, without a text. */
const edit = z.object({ mid: networkId, text: optionalText, num_edit: optionalNumber });
/** A tapped button. Events of older pages have no `mid`. */
const postback = z.object({ mid: optionalId, title: textOrEmpty, payload: optionalText });
const messagingItem = z.object({
  sender: person,
  recipient: person,
  /** Milliseconds. */
  timestamp: optionalMoment,
  message: orAbsent(message),
  message_edit: orAbsent(edit),
  postback: orAbsent(postback),
});
type MessagingItem = z.output<typeof messagingItem>;

const change = z.object({ field: z.string(), value: z.unknown() });
const objects = { FACEBOOK: 'page', INSTAGRAM: 'instagram' } as const;
type MetaPlatform = keyof typeof objects;

function deliveryOf(platform: MetaPlatform) {
  return z.object({
    object: z.literal(objects[platform]),
    entry: readableItems(
      platform,
      z.object({
        id: networkId,
        /** In seconds. For messages, in milliseconds. */
        time: optionalMoment,
        messaging: readableList(platform, messagingItem),
        changes: readableList(platform, change),
      }),
    ),
  });
}

export type MetaChange = z.output<typeof change>;
export type Entry = { readonly accountId: string; readonly occurredAt: string };
type ReadChange = (entry: Entry, change: MetaChange) => NormalisedEvent | undefined;

/**
 * Returns the events of a delivery from Meta. Skips unknown kinds: Meta adds new ones without
 * notice, and they must not block the known events of the same batch.
 *
 * @throws SyntaxError if the body is not a delivery for this network.
 */
export function parseMetaDelivery(
  rawBody: Buffer,
  platform: MetaPlatform,
  readChange: ReadChange,
): readonly NormalisedEvent[] {
  const parsed = deliveryOf(platform).safeParse(parseWithLongIds(rawBody.toString('utf8')));
  if (!parsed.success) {
    throw new SyntaxError(`The body is not a delivery for ${platform}`);
  }

  return parsed.data.entry.flatMap(({ id: accountId, time, messaging, changes }) => {
    const entry: Entry = { accountId, occurredAt: isoTime(time) };

    return [
      ...messaging.flatMap((item) => messagingEvent(entry, item) ?? []),
      ...changes.flatMap((item) => changeEvent(platform, entry, item, readChange) ?? []),
    ];
  });
}

/** Some deliveries, such as Meta's test deliveries, contain messages among the changes. */
const messagingFields: ReadonlySet<string> = new Set([
  'messages',
  'message_edit',
  'message_edits',
  'message_echoes',
  'messaging_postbacks',
]);

function changeEvent(
  platform: MetaPlatform,
  entry: Entry,
  item: MetaChange,
  readChange: ReadChange,
): NormalisedEvent | undefined {
  if (!messagingFields.has(item.field)) {
    return readChange(entry, item);
  }
  const message = readPart(platform, messagingItem, item.value);

  return message && messagingEvent(entry, message);
}

/** Events of messages contain no names. */
function nameless(id = '') {
  return { id, name: '' };
}

function messagingEvent(entry: Entry, item: MessagingItem): NormalisedEvent | undefined {
  const { accountId } = entry;
  const { sender, recipient, timestamp: at, message: sent } = item;
  const content = contentOf(item);
  const isEcho = sent?.is_echo === true || sender?.id === accountId;
  const isAnonymous = (isEcho ? recipient : sender) === undefined;

  return (
    content && {
      platformUserId: accountId,
      type: 'message',
      channel: 'DIRECT_MESSAGE',
      from: nameless(sender?.id),
      to: isEcho ? nameless(recipient?.id) : undefined,
      text: '',
      isEcho,
      occurredAt: at === undefined ? entry.occurredAt : isoTime(at),
      ...content,
      ...(isAnonymous && !content.action ? { isIncomplete: true } : {}),
    }
  );
}

type Content = Pick<NormalisedEvent, 'eventId' | 'messageId'> & Partial<NormalisedEvent>;

function contentOf(item: MessagingItem): Content | undefined {
  const { message: sent, message_edit: edited, postback: tapped } = item;
  if (sent) {
    return messageOf(sent);
  }

  return edited ? editOf(edited) : tapped && tapOf(tapped, item);
}

function messageOf(sent: z.output<typeof message>): Content {
  const { mid, text, metadata, is_deleted: isDeleted } = sent;
  if (isDeleted) {
    return { eventId: `${mid}-withdraw`, messageId: mid, action: 'withdraw' };
  }

  return {
    eventId: mid,
    messageId: mid,
    text,
    ...namedFiles(filesOf(sent)),
    ...(metadata === undefined ? {} : { echoTag: metadata }),
  };
}

/** A message, its edits and its removal are different events. */
function editOf({ mid, text, num_edit: number = 1 }: z.output<typeof edit>): Content {
  const event = { eventId: `${mid}-edit-${number}`, messageId: mid };

  return text === undefined || number === 0
    ? { ...event, isIncomplete: true }
    : { ...event, text, action: 'edit', revision: number };
}

/** The payload is meant for the app that sent the button, and never shown to people. */
function tapOf(
  { mid, title, payload }: z.output<typeof postback>,
  { sender, timestamp: at = 0 }: MessagingItem,
): Content {
  const id = mid ?? `postback-${sender?.id ?? ''}-${at}`;

  return {
    eventId: id,
    messageId: id,
    text: title,
    ...(payload === undefined ? {} : { tapped: payload }),
  };
}

/** Converts Meta's timestamps, which are in seconds or in milliseconds, to ISO 8601. */
export function isoTime(time: number | undefined): string {
  if (time === undefined) {
    return timestamp();
  }
  const firstMs = 100_000_000_000;
  const ms = time < firstMs ? time * 1_000 : time;

  return new Date(Math.min(Math.max(ms, 0), 8_640_000_000_000_000)).toISOString();
}

const kinds: Readonly<Record<string, AttachmentKind>> = {
  image: 'IMAGE',
  video: 'VIDEO',
  audio: 'AUDIO',
  file: 'FILE',
  like_heart: 'STICKER',
  story_mention: 'STORY',
};

function filesOf({
  attachments = [],
  reply_to: replyTo,
}: z.output<typeof message>): readonly SentFile[] {
  const sent = attachments.map(({ type, payload }) =>
    fileAt(payload?.sticker_id === undefined ? (kinds[type] ?? 'OTHER') : 'STICKER', payload?.url),
  );
  const story = replyTo?.story;

  return story ? [...sent, fileAt('STORY', story.url)] : sent;
}

function fileAt(kind: AttachmentKind, url: string | undefined): SentFile {
  return { kind, ...(url === undefined ? {} : { url }) };
}
