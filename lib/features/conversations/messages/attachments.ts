import type { Message, StoredAttachment } from '#lib/features/conversations/conversation.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import type { Write } from '#lib/platform/db/write.ts';
import type { FileName } from '#lib/platform/storage/file-name.ts';
import { planWork } from '#lib/platform/work/outbox.ts';

/**
 * True for network content that a message refers to: a story, a share or a reel. Networks forbid
 * copies, so the network's URL is kept.
 */
export function isReference({ kind }: Pick<StoredAttachment, 'kind'>): boolean {
  return kind === 'STORY' || kind === 'OTHER';
}

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
    key: `${filesOfMessage(organizationId, { id: messageId })}${id}`,
    contentType,
    downloadName: id,
  };
}

/** The prefix of the files of a message. */
export function filesOfMessage(organizationId: string, { id }: Pick<Message, 'id'>): string {
  return `${filesOfOrganization(organizationId)}${id}/`;
}

/** Plans to store the files of a message, or to remove copies of a message that changed. */
export function planCopies(
  organizationId: string,
  { conversationId, id: messageId }: Pick<Message, 'conversationId' | 'id'>,
): Write {
  return planWork('attachments', {
    owner: socialKeys.conversation(organizationId, conversationId),
    payload: { organizationId, conversationId, messageId },
  });
}
