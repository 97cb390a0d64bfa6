import { cutToLength, oneLine } from '#lib/platform/characters.ts';
import { hourMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { type Alongside, type Write, write } from '#lib/platform/db/write.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { checkPublicUrl } from '#lib/platform/outbound/public-url.ts';
import { uploadTo } from '#lib/platform/storage/uploads.ts';
import type { BodyOf } from '#schemas/contract.ts';
import {
  type createMediaFromUrl as fromUrlContract,
  maxImageBytes,
  type createMediaUpload as uploadContract,
} from '#schemas/media.ts';
import { type Media, uploadKey } from './media.ts';
import { findMediaLimit } from './media-usage.ts';
import { planMedia } from './media-writes.ts';
import { abandonedAfterMs, planProcessing } from './plan-processing.ts';

const uploadSeconds = hourMs / secondMs;
const maxFileNameLength = 255;

/** @throws 400 for an image that is too large; 409 if the quota has no room. */
export async function startUpload(
  organizationId: string,
  createdById: string,
  { fileName, contentType, bytes }: BodyOf<typeof uploadContract>,
  alongside: Alongside<Media>,
): Promise<Media> {
  if (contentType.startsWith('image/') && bytes > maxImageBytes) {
    throw badRequest(`bytes must not be greater than ${maxImageBytes} for an image`);
  }
  const media: Media = {
    ...newMedia(organizationId, createdById),
    status: 'UPLOADING',
    fileName,
    contentType,
    bytes,
    claimedBytes: bytes,
  };
  await writeMedia(media, alongside, planProcessing(media, abandonedAfterMs));

  return media;
}

function newMedia(organizationId: string, createdById: string) {
  return { id: newId(), organizationId, version: 1, createdById, createdAt: timestamp() };
}

async function writeMedia(
  media: Media,
  alongside: Alongside<Media>,
  ...work: readonly Write[]
): Promise<void> {
  const [first, limit] = await Promise.all([
    alongside(media),
    findMediaLimit(media.organizationId),
  ]);
  await write(...first, ...planMedia(media, limit), ...work);
}

/** Returns the request that uploads the bytes, as announced. Always the same for one medium. */
export async function presentUpload(media: Media) {
  const { organizationId, id, contentType = '', bytes = 0, createdAt } = media;
  const file = { key: uploadKey(organizationId, id), contentType, bytes };
  const expiresAt = timestamp(uploadSeconds * secondMs, Date.parse(createdAt));

  return { ...(await uploadTo(file, createdAt, uploadSeconds)), expiresAt };
}

/** @throws 400 for a URL that is not public; 409 if the quota has no room. */
export async function copyFromUrl(
  organizationId: string,
  createdById: string,
  { url, altText }: BodyOf<typeof fromUrlContract>,
  alongside: Alongside<Media>,
): Promise<Media> {
  checkPublicUrl(url, 'url');
  const media: Media = {
    ...newMedia(organizationId, createdById),
    status: 'PROCESSING',
    fileName: fileNameOf(url),
    claimedBytes: 0,
    sourceUrl: url,
    ...(altText ? { altText } : {}),
  };
  // The second work removes what an interrupted attempt may leave.
  await writeMedia(
    media,
    alongside,
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
