import { linkTo } from '#lib/platform/storage/download-link.ts';
import type { FileName } from '#lib/platform/storage/file-name.ts';
import { type Message, presentMessage, type StoredAttachment } from './conversation.ts';

const linkSeconds = 3_600;

/** The prefix of all files of the organization's messages. */
export function filesOfOrganization(organizationId: string): string {
  return `attachments/${organizationId}/`;
}

export function fileOf(
  organizationId: string,
  { id: messageId }: Pick<Message, 'id'>,
  { id, contentType = 'application/octet-stream' }: StoredAttachment,
): FileName {
  return {
    key: `${filesOfOrganization(organizationId)}${messageId}/${id}`,
    contentType,
    downloadName: id,
  };
}

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
      url: attachment.isStored
        ? await linkToAttachment(organizationId, message, attachment)
        : undefined,
    })),
  );

  return { ...presented, attachments };
}
