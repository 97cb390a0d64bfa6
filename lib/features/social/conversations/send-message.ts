import type { Credentials, Network, Sent } from '#lib/vendors/networks/network.ts';
import type { Conversation, Message } from './conversation.ts';
import { echoTagOf } from './sent-messages.ts';

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
