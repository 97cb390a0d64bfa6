import { firstCharacters } from '#lib/platform/characters.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { change, discard, type Write } from '#lib/platform/db/write.ts';
import type { QuotedSource } from '#lib/platform/mail/outgoing-mail.ts';
import type { Conversation, LastMessage, Message } from './conversation.ts';

const shownCharacters = 200;

export function lastMessageOf({ direction, author, text, createdAt }: Message): LastMessage {
  return { direction, author, text: firstCharacters(text, shownCharacters), createdAt };
}

/** Returns the customer's latest message for a mail, unless somebody has written since. */
export function lastTextOf({ lastMessage }: Conversation): string | undefined {
  return lastMessage?.author === 'CUSTOMER' ? lastMessage.text : undefined;
}

/** If a message was edited or withdrawn, a mail that quotes it is outdated. */
export function quotedSource({ organizationId, id, messageChanges }: Conversation): QuotedSource {
  return {
    item: socialKeys.conversation(organizationId, id),
    attribute: 'messageChanges',
    value: messageChanges,
  };
}

/** Shows the message as the latest one, unless there is a later one or it was withdrawn. */
export function withLastMessage(conversation: Conversation, message: Message): Conversation {
  const { lastMessage } = conversation;
  const { createdAt, deletedAt } = message;

  return deletedAt !== undefined || (lastMessage && lastMessage.createdAt > createdAt)
    ? conversation
    : { ...conversation, lastMessage: lastMessageOf(message), rank: Date.parse(createdAt) };
}

/** Counts a customer's message, which now waits for an answer. */
export function withUnanswered(conversation: Conversation, message: Message): Conversation {
  const { unansweredSince = message.createdAt, unreadCount = 0 } = conversation;
  const [oldest] = [unansweredSince, message.createdAt].toSorted();

  return {
    ...withLastMessage(conversation, message),
    unansweredSince: oldest ?? message.createdAt,
    unreadCount: unreadCount + 1,
  };
}

/** The customer no longer waits, because an agent answered or decided not to. */
export function answered(conversation: Conversation): Conversation {
  const { handedOverAt: _, answers = 0, ...rest } = notWaiting(conversation);

  return { ...rest, answers: answers + 1 };
}

export function notWaiting(conversation: Conversation): Conversation {
  const { unansweredSince: _, isUnattended: __, unansweredReason: ___, ...rest } = conversation;

  return rest;
}

/** Marks a conversation as read by a person. People are mailed about later messages again. */
export function read(conversation: Conversation): Conversation {
  const { handOverMailedAt: _, mailedTo: __, unansweredReason: ___, ...kept } = conversation;
  const { reads = 0, ...rest } = kept;

  return { ...rest, unreadCount: 0, reads: reads + 1 };
}

export function withMailed(
  conversation: Conversation,
  users: ReadonlyArray<{ readonly userId: string }>,
): Conversation {
  const { mailedTo = [] } = conversation;
  const added = users.map(({ userId }) => userId).filter((userId) => !mailedTo.includes(userId));

  return added.length > 0 ? { ...conversation, mailedTo: [...mailedTo, ...added] } : conversation;
}

/** True if nobody has answered the customer's message since it arrived. */
export function isUnanswered(
  { answers = 0 }: Pick<Conversation, 'answers'>,
  message: Message,
): boolean {
  return message.direction === 'IN' && (message.answers ?? 0) >= answers;
}

/** True if no person has read the conversation since the customer's message arrived. */
export function isUnread({ reads = 0 }: Pick<Conversation, 'reads'>, message: Message): boolean {
  return message.direction === 'IN' && (message.reads ?? 0) >= reads;
}

/**
 * Plans the effects of a person's answer. It has no condition, because it answers all messages that
 * the customer sent before. Conversation changes that were planned from an earlier state fail.
 */
export function planAnsweredByPerson(
  organizationId: string,
  conversationId: string,
): readonly Write[] {
  return [
    change(socialKeys.conversation(organizationId, conversationId), {
      set: {
        unansweredSince: null,
        isUnattended: null,
        unansweredReason: null,
        handOverMailedAt: null,
        mailedTo: null,
        unreadCount: 0,
      },
      add: { answers: 1, reads: 1 },
    }),
    discard(socialKeys.unansweredConversation(organizationId, conversationId)),
  ];
}
