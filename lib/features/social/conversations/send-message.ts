import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import type { Credentials, Network, Sent } from '#lib/vendors/networks/network.ts';
import type { Conversation, Message } from './conversation.ts';

/** The message that a public reply is attached to. */
export type Answered = {
  readonly commentId: string;
  readonly platformPostId?: string | undefined;
};

/** Sends a message to the customer: privately, or publicly below the answered comment. */
export function sendMessage(
  network: Network,
  credentials: Credentials,
  { channel, customer }: Conversation,
  message: Message,
  answered: Answered | undefined,
): Promise<Sent> {
  const { text } = message;
  if (channel === 'DIRECT_MESSAGE' || !answered) {
    const echoTag = echoTagOf(message);

    return network.sendDirectMessage(credentials, { to: customer.id, text, echoTag });
  }

  return network.replyToComment(credentials, { ...answered, text });
}

/** A tag sent with the message. Networks that support it return it in the message's echo. */
export function echoTagOf({ conversationId, id }: Pick<Message, 'conversationId' | 'id'>): string {
  return `${conversationId}/${id}`;
}

/** Finds the message that an echo tag refers to. The tag is untrusted and may be any text. */
export async function findTaggedMessage(
  organizationId: string,
  echoTag: string,
): Promise<Message | undefined> {
  const [conversationId = '', messageId = '', ...rest] = echoTag.split('/');
  if (rest.length > 0 || !conversationId || !messageId) {
    return undefined;
  }

  return get<Message>(keys.conversationMessage(organizationId, conversationId, messageId));
}
