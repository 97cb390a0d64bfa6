import {
  type Conversation,
  isFileSent,
  type Message,
} from '#lib/features/conversations/conversation.ts';
import {
  findConversation,
  listLatestMessages,
  planConversationChange,
  takenOver,
} from '#lib/features/conversations/conversations.ts';
import { changedEarly } from '#lib/features/conversations/messages/change-message.ts';
import { findTaggedMessage } from '#lib/features/conversations/messages/echo-tag.ts';
import { timeOf } from '#lib/features/conversations/messages/event-time.ts';
import {
  findConversationOf,
  findMessageClaim,
  placeOf,
  planMessage,
  writeMessageOnce,
} from '#lib/features/conversations/messages/messages.ts';
import { newConversation, planConversation } from '#lib/features/conversations/new-conversation.ts';
import { recordFileEcho } from '#lib/features/conversations/outbound/file-outcome.ts';
import { recordMessageSent } from '#lib/features/conversations/outbound/message-outcome.ts';
import { answered, read, withLastMessage } from '#lib/features/conversations/waiting.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { normalized } from '#lib/platform/characters.ts';
import { minuteMs } from '#lib/platform/clock.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { findOptOut, planSameOptOut, withOptOut } from './opt-out.ts';

/** `undecided`: the echo may belong to a message whose send call has not returned yet. */
export type EchoOutcome = 'recorded' | 'undecided';

/** Send calls return within seconds. A message still pending after a minute was lost. */
const pendingMs = minuteMs;
const messagesChecked = 50;

/**
 * Handles an echo: a message that the network reports as sent by the account itself. Messages from
 * this service are recognized by their echo tag, by network id, or by text if the send result is
 * not recorded yet. Any other echo was written by a person elsewhere. That person takes over the
 * conversation, so the agent stops replying.
 */
export async function recordEcho(
  account: SocialAccount,
  event: NormalisedEvent,
  messageId: string,
  mayWait: boolean,
): Promise<EchoOutcome> {
  const { organizationId, id: accountId } = account;
  const [tagged, claim, conversation] = await Promise.all([
    event.echoTag ? findTaggedMessage(organizationId, event.echoTag) : undefined,
    findMessageClaim(organizationId, accountId, event.messageId),
    findEchoedConversation(account, event),
  ]);
  if (placeOf(claim)) {
    return 'recorded';
  }
  if (tagged?.message.direction === 'OUT') {
    const record = tagged.isFile ? recordFileEcho : recordMessageSent;
    await record(account, tagged.message, event.channel, event.messageId);

    return 'recorded';
  }
  const sent = conversation ? await findSent(conversation, event) : 'none';
  if (sent === 'undecided' && mayWait) {
    return 'undecided';
  }
  if (typeof sent === 'object') {
    const record = isFileAlone(event) ? recordFileEcho : recordMessageSent;
    await record(account, sent, event.channel, event.messageId);

    return 'recorded';
  }
  await recordTakeover(account, event, messageId);

  return 'recorded';
}

/** Finds the echo's conversation by its recipient, or by the message it replies to. */
async function findEchoedConversation(
  { organizationId, id: accountId }: SocialAccount,
  { channel, to, parentId }: NormalisedEvent,
): Promise<Conversation | undefined> {
  if (to) {
    return findConversationOf(organizationId, accountId, channel, to.id);
  }
  const parent = parentId && (await findMessageClaim(organizationId, accountId, parentId));
  const place = parent ? placeOf(parent) : undefined;

  return place && findConversation(organizationId, place.conversationId);
}

/** Strips links and whitespace before comparing, because networks shorten links and trim text. */
function wordsOf(text: string): string {
  return normalized(text, 'NFKC')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Networks send a file and its text as two messages, each with its own echo. */
function isFileAlone({ text, attachments }: NormalisedEvent): boolean {
  return text === '' && attachments !== undefined;
}

function isEchoOf(event: NormalisedEvent, message: Message): boolean {
  if (!isFileAlone(event)) {
    return message.text !== '' && wordsOf(message.text) === wordsOf(event.text);
  }
  const [file] = message.attachments ?? [];

  return (
    file !== undefined &&
    !isFileSent(message) &&
    (event.attachments ?? []).some(({ kind }) => kind === file.kind)
  );
}

/** Finds the matching message among those whose outcome is not final. */
async function findSent(
  { organizationId, id }: Conversation,
  event: NormalisedEvent,
): Promise<Message | 'undecided' | 'none'> {
  const messages = await listLatestMessages(organizationId, id, messagesChecked);
  const open = messages.filter(({ status }) => status === 'PENDING' || status === 'UNKNOWN');
  const match = open.find((message) => isEchoOf(event, message));
  if (match) {
    return match;
  }
  const writtenAt = Date.parse(timeOf(event));
  const isAnyOnItsWay = open.some(
    ({ status, createdAt }) =>
      status === 'PENDING' && Math.abs(writtenAt - Date.parse(createdAt)) < pendingMs,
  );

  return isAnyOnItsWay ? 'undecided' : 'none';
}

/** A comment by the account that is not a reply does not take over any conversation. */
async function recordTakeover(
  account: SocialAccount,
  event: NormalisedEvent,
  messageId: string,
): Promise<void> {
  await retryWhenOvertaken('conversation', async () => {
    const { organizationId, id: accountId } = account;
    const [known, claim] = await Promise.all([
      findEchoedConversation(account, event),
      findMessageClaim(organizationId, accountId, event.messageId),
    ]);
    const { to: customer, channel } = event;
    const begun = known ?? (customer && newConversation({ account, channel, customer }));
    if (!begun) {
      return;
    }
    const optOut = known ? undefined : await findOptOut(begun);
    const before = known ?? withOptOut(begun, optOut);
    const message = await changedEarly(personsMessage(before, event, messageId), claim);
    const after = answeredElsewhere(withLastMessage(takenOver(before), message), message);
    await writeMessageOnce(
      ...planMessage(organizationId, message, { claim }),
      ...(known
        ? planConversationChange(known, after)
        : [...planConversation(after), await planSameOptOut(before, optOut)]),
    );
  });
}

/** An echo that arrives late answers only messages that the customer wrote before it. */
function answeredElsewhere(conversation: Conversation, { createdAt }: Message): Conversation {
  const { lastInboundAt = '' } = conversation;

  return lastInboundAt <= createdAt ? read(answered(conversation)) : conversation;
}

function personsMessage(
  { id, socialAccountId }: Conversation,
  event: NormalisedEvent,
  messageId: string,
): Message {
  return {
    id: messageId,
    conversationId: id,
    accountId: socialAccountId,
    direction: 'OUT',
    author: 'HUMAN',
    type: event.type,
    text: event.text,
    status: 'SENT',
    networkMessageId: event.messageId,
    ...(event.platformPostId === undefined ? {} : { platformPostId: event.platformPostId }),
    ...(event.parentId === undefined ? {} : { parentId: event.parentId }),
    createdAt: timeOf(event),
  };
}
