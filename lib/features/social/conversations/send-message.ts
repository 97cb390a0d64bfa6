import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import type { Credentials, Network, Sent } from '#lib/vendors/networks/network.ts';
import { linkToAttachment } from './attachments.ts';
import type { Conversation, Message, StoredAttachment } from './conversation.ts';

const fileTag = 'file';

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

/** Sends the file of a message to the customer, before its text. */
export async function sendFile(
  network: Network,
  credentials: Credentials,
  { organizationId, customer }: Conversation,
  message: Message,
  file: StoredAttachment,
): Promise<Sent> {
  if (!network.sendFile) {
    throw new Error(`${network.platform} takes no files in messages`);
  }
  const url = await linkToAttachment(organizationId, message, file);
  const kind = file.kind === 'VIDEO' ? 'VIDEO' : 'IMAGE';
  const echoTag = `${echoTagOf(message)}/${fileTag}`;

  return network.sendFile(credentials, { to: customer.id, kind, url, echoTag });
}

/** A tag sent with the message. Networks that support it return it in the message's echo. */
export function echoTagOf({ conversationId, id }: Pick<Message, 'conversationId' | 'id'>): string {
  return `${conversationId}/${id}`;
}

export type TaggedMessage = {
  readonly message: Message;
  /** True if the tag is that of the message's file. */
  readonly isFile: boolean;
};

/** Finds the message that an echo tag refers to. The tag is untrusted and may be any text. */
export async function findTaggedMessage(
  organizationId: string,
  echoTag: string,
): Promise<TaggedMessage | undefined> {
  const [conversationId = '', messageId = '', part, ...rest] = echoTag.split('/');
  const isFile = part === fileTag;
  if (rest.length > 0 || (part !== undefined && !isFile) || !conversationId || !messageId) {
    return undefined;
  }
  const message = await get<Message>(
    keys.conversationMessage(organizationId, conversationId, messageId),
  );

  return message && { message, isFile };
}
