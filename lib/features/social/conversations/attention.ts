import { clip } from '#lib/platform/characters.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import type { Conversation, Message } from './conversation.ts';

const shownCharacters = 200;

/**
 * Returns since when the customer waits: the time of their oldest unanswered message, while people
 * have the conversation or nobody will answer.
 */
export function waitingSinceOf(
  conversation: Pick<
    Partial<Conversation>,
    'unansweredSince' | 'controller' | 'stopReason' | 'isUnattended'
  >,
): string | undefined {
  const { unansweredSince, controller, stopReason, isUnattended } = conversation;
  const isWaiting = controller === 'HUMAN' || stopReason !== undefined || isUnattended === true;

  return isWaiting ? unansweredSince : undefined;
}

/** Shows the message as the latest one, unless there is a later one. */
export function withLastMessage(
  conversation: Conversation,
  { direction, author, text, createdAt }: Message,
): Conversation {
  const { lastMessage } = conversation;

  return lastMessage && lastMessage.createdAt > createdAt
    ? conversation
    : {
        ...conversation,
        lastMessage: { direction, author, text: clip(text, shownCharacters), createdAt },
        lastMessageAt: createdAt,
      };
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

/** The customer no longer waits, because an agent answered or chose not to. */
export function answered(conversation: Conversation): Conversation {
  const { unansweredSince: _, isUnattended: __, handedOverAt: ___, ...rest } = conversation;

  return rest;
}

/** A person has read the conversation: the next handover sends a mail again. */
export function read(conversation: Conversation): Conversation {
  const { handOverMailedAt: _, ...rest } = conversation;

  return { ...rest, unreadCount: 0 };
}

/**
 * Plans what a person's answer changes. Not conditional: it holds for all messages that the
 * customer sent before. Conversation changes that were planned from an earlier state fail.
 */
export function planAnsweredByPerson(organizationId: string, conversationId: string): Write {
  return change(keys.conversation(organizationId, conversationId), {
    set: { unansweredSince: null, isUnattended: null, handOverMailedAt: null, unreadCount: 0 },
  });
}
