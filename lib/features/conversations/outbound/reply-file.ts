import type {
  Conversation,
  Message,
  StoredAttachment,
} from '#lib/features/conversations/conversation.ts';
import { fileOf } from '#lib/features/conversations/messages/attachments.ts';
import {
  fileOfMedia,
  type Media,
  requireMedia,
  requireReadyMedia,
} from '#lib/features/media/media.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { copyFile } from '#lib/platform/storage/copy-file.ts';
import { messageFileProblem, takesMessageFiles } from '#lib/vendors/networks/message-files.ts';

/**
 * Returns the media file of a reply.
 *
 * @throws 404; 400 with `mediaIds` if it cannot be sent in this conversation.
 */
export async function requireReplyMedium(
  { organizationId, platform, channel }: Conversation,
  mediaIds: readonly string[],
): Promise<Media | undefined> {
  if (mediaIds.length === 0) {
    return undefined;
  }
  if (channel !== 'DIRECT_MESSAGE') {
    throw badRequest('mediaIds must be empty: only private messages can have files');
  }
  if (!takesMessageFiles(platform)) {
    throw badRequest(`mediaIds must be empty: ${platform} messages cannot have files`);
  }
  const [medium] = await requireReadyMedia(organizationId, mediaIds);
  const problem = medium && messageFileProblem(platform, medium);
  if (problem) {
    throw badRequest(`mediaIds.0 ${problem}`);
  }

  return medium;
}

/**
 * Copies a media file to the message's own files, so that the message keeps it if the original is
 * deleted.
 *
 * @throws 404 if it was deleted in the meantime.
 */
export async function copyToMessage(
  medium: Media,
  message: Pick<Message, 'id'>,
): Promise<StoredAttachment> {
  const { organizationId, id, kind = 'IMAGE', contentType, bytes } = medium;
  const attachment: StoredAttachment = {
    id,
    kind,
    ...(contentType === undefined ? {} : { contentType }),
    ...(bytes === undefined ? {} : { bytes }),
    isStored: true,
  };
  await copyFile(fileOfMedia(medium), fileOf(organizationId, message, attachment)).catch(
    async (failure) => {
      await requireMedia(organizationId, id);
      throw failure;
    },
  );

  return attachment;
}
