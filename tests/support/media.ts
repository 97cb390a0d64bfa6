import { fileOfMedia, type Media, uploadKey } from '#lib/features/media/media.ts';
import { planMedia } from '#lib/features/media/media-writes.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { storeFile } from '#lib/platform/storage/stored-files.ts';
import { jpeg } from './media-files.ts';

/** Stores a medium that is READY, with its file. */
export async function storeMedia(
  organizationId: string,
  given: Partial<Media> = {},
  content = jpeg(),
): Promise<Media> {
  const media: Media = {
    id: newId(),
    organizationId,
    version: 1,
    createdById: newId(),
    createdAt: timestamp(),
    status: 'READY',
    kind: 'IMAGE',
    fileName: 'engine.jpg',
    contentType: 'image/jpeg',
    bytes: content.length,
    claimedBytes: content.length,
    width: 40,
    height: 30,
    storedName: `${newId()}.jpg`,
    ...given,
  };
  await storeFile(fileOfMedia(media), content);
  await write(...planMedia(media));

  return media;
}

/** Stores an upload that has arrived and is not completed yet. */
export async function storeUpload(organizationId: string): Promise<Media> {
  const content = jpeg();
  const media: Media = {
    id: newId(),
    organizationId,
    version: 1,
    createdById: newId(),
    createdAt: timestamp(),
    status: 'UPLOADING',
    fileName: 'engine.jpg',
    contentType: 'image/jpeg',
    bytes: content.length,
    claimedBytes: content.length,
  };
  const file = {
    key: uploadKey(organizationId, media.id),
    contentType: 'image/jpeg',
    downloadName: 'engine.jpg',
  };
  await storeFile(file, content);
  await write(...planMedia(media));

  return media;
}
