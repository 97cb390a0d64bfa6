import { fileTypeFromBuffer } from 'file-type/core';
import { imageSize } from 'image-size';
import type { Patch } from '#lib/platform/storage/stored-files.ts';
import type { MediaKind } from '#schemas/media.ts';
import {
  maxImageBytes,
  maxImagePixels,
  maxImageSide,
  maxVideoBytes,
} from '#schemas/media-limits.ts';
import { damagedImage, InvalidMediaError } from './invalid-media-error.ts';
import { type ByteSource, readMovie } from './movie.ts';
import { type ImageType, removePositionFromImage } from './remove-position-from-image.ts';

/** The result that is stored when a media file becomes `READY`. */
export type Inspected = {
  readonly kind: MediaKind;
  readonly contentType: string;
  readonly extension: string;
  /** As displayed. */
  readonly width: number;
  readonly height: number;
  /** For images: the EXIF orientation. */
  readonly orientation?: number;
  readonly durationSeconds?: number;
  /** The whole image without position data. Absent for videos. */
  readonly image?: Uint8Array;
  /** The changes to a video. */
  readonly patches: readonly Patch[];
};

/** All signatures are within these bytes. */
const signatureBytes = 65_536;
const pngSignature = '\x89PNG\r\n\x1a\n';
/** From this orientation on, the image is displayed rotated by 90 degrees. */
const firstTurnedOrientation = 5;

const images: Readonly<Record<string, { readonly type: ImageType; readonly extension: string }>> = {
  'image/jpeg': { type: 'image/jpeg', extension: 'jpg' },
  'image/png': { type: 'image/png', extension: 'png' },
  'image/webp': { type: 'image/webp', extension: 'webp' },
  'image/gif': { type: 'image/gif', extension: 'gif' },
};

const videos: Readonly<Record<string, { readonly type: string; readonly extension: string }>> = {
  'video/mp4': { type: 'video/mp4', extension: 'mp4' },
  'video/x-m4v': { type: 'video/mp4', extension: 'mp4' },
  'video/quicktime': { type: 'video/quicktime', extension: 'mov' },
};

/**
 * Determines the type of a file from its bytes, and removes location data.
 *
 * @throws InvalidMediaError for a file that is not accepted.
 */
export async function inspectMedia(source: ByteSource): Promise<Inspected> {
  const start = await source.read(0, signatureBytes);
  const mime = await typeOf(start);
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

async function typeOf(start: Buffer): Promise<string> {
  // The library looks for animation in a PNG up to its pixels, which can be after these bytes.
  if (start.toString('latin1', 0, pngSignature.length) === pngSignature) {
    return 'image/png';
  }

  return (await fileTypeFromBuffer(start))?.mime ?? '';
}

async function inspectImage(
  source: ByteSource,
  contentType: ImageType,
  extension: string,
): Promise<Inspected> {
  if (source.bytes > maxImageBytes) {
    throw new InvalidMediaError('Images can have at most 20 MB');
  }
  const { image, orientation } = removePositionFromImage(
    contentType,
    await source.read(0, source.bytes),
  );
  const { width, height } = sizeOf(image);
  const shown =
    orientation < firstTurnedOrientation ? { width, height } : { width: height, height: width };

  return { kind: 'IMAGE', contentType, extension, ...shown, orientation, image, patches: [] };
}

function sizeOf(image: Buffer): { readonly width: number; readonly height: number } {
  const { width, height } = readSize(image);
  if (width < 1 || height < 1) {
    throw new InvalidMediaError('The image is empty');
  }
  if (Math.max(width, height) > maxImageSide || width * height > maxImagePixels) {
    throw new InvalidMediaError(
      'Images can have at most 200 megapixels and 30,000 pixels on each side',
    );
  }

  return { width, height };
}

function readSize(image: Buffer): { readonly width: number; readonly height: number } {
  try {
    return imageSize(image);
  } catch {
    throw damagedImage();
  }
}
