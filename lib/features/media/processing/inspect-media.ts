import { fileTypeFromBuffer } from 'file-type/core';
import { imageSize } from 'image-size';
import type { Patch } from '#lib/platform/storage/stored-files.ts';
import { type MediaKind, maxImageBytes, maxVideoBytes } from '#schemas/media.ts';
import { InvalidMediaError } from './invalid-media-error.ts';
import { type ByteSource, readMovie } from './movie.ts';
import { type ImageType, removePositionFromImage } from './remove-position-from-image.ts';

/** What is stored under `READY`. */
export type Inspected = {
  readonly kind: MediaKind;
  readonly contentType: string;
  readonly extension: string;
  readonly width: number;
  readonly height: number;
  readonly durationSeconds?: number;
  /** The whole image without position data. Absent for videos. */
  readonly image?: Buffer;
  /** The changes to a video. */
  readonly patches: readonly Patch[];
};

/** All signatures are within these bytes. */
const signatureBytes = 65_536;
/** From here on, the image is displayed turned by 90 degrees. */
const firstTurnedOrientation = 5;

const images: Readonly<Record<string, { readonly type: ImageType; readonly extension: string }>> = {
  'image/jpeg': { type: 'image/jpeg', extension: 'jpg' },
  'image/png': { type: 'image/png', extension: 'png' },
  'image/apng': { type: 'image/png', extension: 'png' },
  'image/webp': { type: 'image/webp', extension: 'webp' },
  'image/gif': { type: 'image/gif', extension: 'gif' },
};

const videos: Readonly<Record<string, { readonly type: string; readonly extension: string }>> = {
  'video/mp4': { type: 'video/mp4', extension: 'mp4' },
  'video/x-m4v': { type: 'video/mp4', extension: 'mp4' },
  'video/quicktime': { type: 'video/quicktime', extension: 'mov' },
};

/**
 * Determines by its bytes what a file is, and removes its position data.
 *
 * @throws InvalidMediaError for a file that is not accepted.
 */
export async function inspectMedia(source: ByteSource): Promise<Inspected> {
  const start = await source.read(0, signatureBytes);
  const { mime = '' } = (await fileTypeFromBuffer(start)) ?? {};
  const image = images[mime];
  if (image) {
    return inspectImage(source, image.type, image.extension);
  }
  const video = videos[mime];
  if (!video) {
    throw new InvalidMediaError(
      'The file is not a JPEG, PNG, WebP or GIF image or an MP4 or QuickTime video',
    );
  }
  if (source.bytes > maxVideoBytes) {
    throw new InvalidMediaError('Videos can have at most 1 GB');
  }

  return {
    kind: 'VIDEO',
    contentType: video.type,
    extension: video.extension,
    ...(await readMovie(source)),
  };
}

async function inspectImage(
  source: ByteSource,
  contentType: ImageType,
  extension: string,
): Promise<Inspected> {
  if (source.bytes > maxImageBytes) {
    throw new InvalidMediaError('Images can have at most 20 MB');
  }
  const original = await source.read(0, source.bytes);
  const { width, height } = sizeOf(original);
  const image = removePositionFromImage(contentType, original);

  return { kind: 'IMAGE', contentType, extension, width, height, image, patches: [] };
}

/** Returns the size as displayed. */
function sizeOf(image: Buffer): { readonly width: number; readonly height: number } {
  try {
    const { width, height, orientation = 1 } = imageSize(image);
    if (width < 1 || height < 1) {
      throw new InvalidMediaError('The image is empty');
    }

    return orientation >= firstTurnedOrientation
      ? { width: height, height: width }
      : { width, height };
  } catch (failure) {
    throw failure instanceof InvalidMediaError
      ? failure
      : new InvalidMediaError('The image is damaged');
  }
}
