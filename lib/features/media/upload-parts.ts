import { hourMs, secondMs, timestamp } from '#lib/platform/clock.ts';
import { wrongState } from '#lib/platform/errors/failures.ts';
import { joinFiles, listFiles, type StoredFile } from '#lib/platform/storage/stored-files.ts';
import { uploadTo } from '#lib/platform/storage/uploads.ts';
import { uploadCompleted } from '#schemas/media.ts';
import { type Media, requireMedia, uploadKey } from './media.ts';

/** More than the storage's minimum. A gigabyte has 60 parts. */
const partBytes = 16 * 1024 * 1024;
const linkSeconds = hourMs / secondMs;

type Part = { readonly key: string; readonly offset: number; readonly bytes: number };

/** The parts in which a file can be uploaded, each as a separate file. Keys sort by offset. */
function partsOf({ organizationId, id, bytes = 0 }: Media): readonly Part[] {
  return Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => ({
    key: `${uploadKey(organizationId, id)}/${String(index).padStart(4, '0')}`,
    offset: index * partBytes,
    bytes: Math.min(partBytes, bytes - index * partBytes),
  }));
}

/**
 * Returns the requests that upload the missing parts.
 *
 * @throws 404; 409 if the upload was completed.
 */
export async function presentMissingParts(organizationId: string, mediaId: string) {
  const media = await requireMedia(organizationId, mediaId);
  if (media.status !== 'UPLOADING') {
    throw wrongState(uploadCompleted, media.status);
  }
  const arrived = await listFiles(`${uploadKey(organizationId, mediaId)}/`);
  const validFrom = timestamp();
  const missing = partsOf(media).filter((part) => !arrived.some((file) => isWhole(file, part)));

  return {
    parts: await Promise.all(
      missing.map(async ({ key, offset, bytes }) => {
        const { url } = await uploadTo({ key, bytes }, validFrom, linkSeconds);

        return { offset, bytes, url };
      }),
    ),
    total: missing.length,
    expiresAt: timestamp(linkSeconds * secondMs, Date.parse(validFrom)),
  };
}

function isWhole(file: StoredFile, { key, bytes }: Part): boolean {
  return file.key === key && file.bytes === bytes;
}

/** Returns the uploaded file, or its parts if all of them exist. Otherwise returns nothing. */
export async function findUpload(media: Media): Promise<readonly StoredFile[]> {
  const key = uploadKey(media.organizationId, media.id);
  const arrived = await listFiles(key);
  const whole = arrived.find((file) => file.key === key);
  if (whole) {
    return [whole];
  }
  const parts = partsOf(media).map((part) => arrived.find((file) => isWhole(file, part)));

  return parts.every((part) => part !== undefined) ? parts : [];
}

/** Joins the parts of an upload, unless it is one file. Repeating it has no further effect. */
export async function joinUpload(media: Media): Promise<void> {
  const key = uploadKey(media.organizationId, media.id);
  const files = await findUpload(media);
  if (files.length > 0 && files[0]?.key !== key) {
    await joinFiles(files, { key, contentType: media.contentType ?? '', downloadName: media.id });
  }
}
