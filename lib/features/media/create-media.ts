import { cutToLength, oneLine } from '#lib/platform/characters.ts';
import { hourMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { uploadTo } from '#lib/platform/storage/uploads.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type {
  createMediaFromUrl as fromUrlContract,
  createMediaUpload as uploadContract,
} from '#schemas/media.ts';
import { maxImageBytes } from '#schemas/media-limits.ts';
import { type Media, uploadKey } from './media.ts';
import { planMedia } from './media-writes.ts';
import { abandonedAfterMs, planProcessing } from './plan-processing.ts';
import { findMediaLimit } from './storage-used.ts';

const uploadSeconds = hourMs / secondMs;
const maxFileNameLength = 255;

/** Returns the reasons why an upload is rejected. */
export function uploadProblems({
  contentType = '',
  bytes = 0,
}: Partial<BodyOf<typeof uploadContract>>): readonly string[] {
  return contentType.startsWith('image/') && bytes > maxImageBytes
    ? [`bytes must not be greater than ${maxImageBytes} for an image`]
    : [];
}

/** @throws 409 if the quota is exceeded. */
export async function startUpload(
  organizationId: string,
  createdById: string,
  { fileName, contentType, bytes }: BodyOf<typeof uploadContract>,
  extraWrites: ExtraWrites<Media>,
): Promise<Media> {
  const media: Media = {
    ...newMedia(organizationId, createdById),
    status: 'UPLOADING',
    fileName,
    contentType,
    bytes,
    claimedBytes: bytes,
  };
  await writeMedia(media, extraWrites, planProcessing(media, abandonedAfterMs));

  return media;
}

function newMedia(organizationId: string, createdById: string) {
  return { id: newId(), organizationId, version: 1, createdById, createdAt: timestamp() };
}

async function writeMedia(
  media: Media,
  extraWrites: ExtraWrites<Media>,
  ...work: readonly Write[]
): Promise<void> {
  const [first, limit] = await Promise.all([
    extraWrites(media),
    findMediaLimit(media.organizationId),
  ]);
  await write(...first, ...planMedia(media, limit), ...work);
}

/**
 * Returns the request that uploads the announced bytes. It is always the same for one media file.
 */
export async function presentUpload(media: Media) {
  const { organizationId, id, contentType = '', bytes = 0, createdAt } = media;
  const file = { key: uploadKey(organizationId, id), contentType, bytes };
  const expiresAt = timestamp(uploadSeconds * secondMs, Date.parse(createdAt));

  return { ...(await uploadTo(file, createdAt, uploadSeconds)), expiresAt };
}

/** @throws 409 if the quota is exceeded. */
export async function copyFromUrl(
  organizationId: string,
  createdById: string,
  { url, altText }: BodyOf<typeof fromUrlContract>,
  extraWrites: ExtraWrites<Media>,
): Promise<Media> {
  const media: Media = {
    ...newMedia(organizationId, createdById),
    status: 'PROCESSING',
    fileName: fileNameOf(url),
    claimedBytes: 0,
    sourceUrl: url,
    ...(altText ? { altText } : {}),
  };
  // The second work item removes leftovers of an interrupted attempt.
  await writeMedia(
    media,
    extraWrites,
    planProcessing(media),
    planProcessing(media, abandonedAfterMs),
  );

  return media;
}

/** Returns the last segment of the path, if it is a name. */
function fileNameOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  const segment = pathname.split('/').findLast((one) => one !== '') ?? '';
  let name = segment;
  try {
    name = decodeURIComponent(segment);
  } catch {
    // Kept as it is.
  }

  return cutToLength(oneLine(name.toWellFormed()), maxFileNameLength) || hostname;
}
