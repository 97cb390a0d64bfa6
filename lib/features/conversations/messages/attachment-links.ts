import {
  type Message,
  presentMessage,
  type StoredAttachment,
} from '#lib/features/conversations/conversation.ts';
import { linkTo } from '#lib/platform/storage/download-link.ts';
import { fileOf, isReference } from './attachments.ts';

const linkSeconds = 3_600;

/** Returns a link to a stored file. It is valid for an hour. */
export function linkToAttachment(
  organizationId: string,
  message: Pick<Message, 'id'>,
  attachment: StoredAttachment,
): Promise<string> {
  return linkTo(fileOf(organizationId, message, attachment), linkSeconds);
}

/** Presents a message with links to its stored files. */
export async function presentWithLinks(organizationId: string, message: Message) {
  const presented = presentMessage(message);
  const attachments = await Promise.all(
    (message.attachments ?? []).map(async (attachment) => ({
      ...attachment,
      url: await urlOf(organizationId, message, attachment),
    })),
  );

  return { ...presented, attachments };
}

async function urlOf(
  organizationId: string,
  message: Message,
  attachment: StoredAttachment,
): Promise<string | undefined> {
  if (attachment.isStored) {
    return linkToAttachment(organizationId, message, attachment);
  }

  return isReference(attachment) ? attachment.sourceUrl : undefined;
}
