import type { LastMessage, Message } from '#lib/features/conversations/conversation.ts';
import { lastMessageOf } from '#lib/features/conversations/waiting.ts';
import { isLastMessage } from './message-changes.ts';

type Repeated = { readonly lastMessage?: LastMessage | null };

/** The texts that events can contain: a message, or the latest one of a conversation. */
type StoredEvent = {
  readonly data: Repeated & {
    readonly messageId?: string;
    readonly text?: string;
    readonly createdAt?: string;
    readonly sentAt?: string;
    readonly conversation?: Repeated;
  };
};

/**
 * Returns the event with the current text of its message. Undefined if the event contains no text.
 */
export function rewordedEvent(json: string, message: Message): string | undefined {
  if (!json.includes(message.conversationId)) {
    return undefined;
  }
  const event: StoredEvent = JSON.parse(json);
  const { data } = event;
  const { conversation } = data;
  const isAbout = data.messageId === message.id && data.text !== undefined;
  const reworded = JSON.stringify({
    ...event,
    data: {
      ...withLast(data, message),
      ...(isAbout ? { text: message.text } : {}),
      ...(conversation ? { conversation: withLast(conversation, message) } : {}),
    },
  });

  return reworded === json ? undefined : reworded;
}

function withLast<Part extends Repeated>(part: Part, message: Message): Part {
  const { lastMessage } = part;
  if (!lastMessage || !isLastMessage({ lastMessage }, message)) {
    return part;
  }
  const { text } = lastMessageOf(message);

  return {
    ...part,
    lastMessage: message.deletedAt === undefined ? { ...lastMessage, text } : null,
  };
}

/** True if the event contains a message that was written before the given time. */
export function repeatsOlderMessage(json: string, before: string): boolean {
  const { data }: StoredEvent = JSON.parse(json);
  const { text, createdAt, sentAt, lastMessage, conversation } = data;
  const writtenAt = [
    text === undefined ? undefined : (createdAt ?? sentAt),
    lastMessage?.createdAt,
    conversation?.lastMessage?.createdAt,
  ];

  return writtenAt.some((time) => time !== undefined && time < before);
}
