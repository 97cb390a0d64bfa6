import type {
  Conversation,
  Message,
  StoredAttachment,
} from '#lib/features/conversations/conversation.ts';
import { linkToAttachment } from '#lib/features/conversations/messages/attachment-links.ts';
import { echoTagOf, fileTag } from '#lib/features/conversations/messages/echo-tag.ts';
import type { CommentTarget, Credentials, Sent } from '#lib/vendors/networks/network.ts';
import { messagesOf } from '#lib/vendors/networks/ports/messages.ts';

/** Sends a message to the customer: privately, or publicly as a reply to the answered comment. */
export function sendMessage(
  credentials: Credentials,
  { platform, channel, customer }: Conversation,
  message: Message,
  answered: CommentTarget | undefined,
): Promise<Sent> {
  const { text } = message;
  if (channel === 'DIRECT_MESSAGE' || !answered) {
    const echoTag = echoTagOf(message);

    return messagesOf(platform).sendDirectMessage(credentials, { to: customer.id, text, echoTag });
  }

  return messagesOf(platform).replyToComment(credentials, { ...answered, text });
}

/** Sends the file of a message to the customer, before its text. */
export async function sendFile(
  credentials: Credentials,
  { organizationId, platform, customer }: Conversation,
  message: Message,
  file: StoredAttachment,
): Promise<Sent> {
  const send = messagesOf(platform).sendFile;
  if (!send) {
    throw new Error(`${platform} takes no files in messages`);
  }
  const url = await linkToAttachment(organizationId, message, file);
  const kind = file.kind === 'VIDEO' ? 'VIDEO' : 'IMAGE';
  const echoTag = `${echoTagOf(message)}/${fileTag}`;

  return send(credentials, { to: customer.id, kind, url, echoTag });
}
