import type { Message } from '#lib/features/conversations/conversation.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';

export const fileTag = 'file';

/**
 * A tag that is sent with the message. Networks that support it return it in the message's echo.
 */
export function echoTagOf({ conversationId, id }: Pick<Message, 'conversationId' | 'id'>): string {
  return `${conversationId}/${id}`;
}

export type TaggedMessage = {
  readonly message: Message;
  /** True if the tag belongs to the message's file. */
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
    socialKeys.conversationMessage(organizationId, conversationId, messageId),
  );

  return message && { message, isFile };
}
