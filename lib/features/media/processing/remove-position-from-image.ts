import { cleanGif } from './clean-gif.ts';
import type { CleanImage } from './clean-image.ts';
import { cleanJpeg } from './clean-jpeg.ts';
import { cleanPng } from './clean-png.ts';
import { cleanWebp } from './clean-webp.ts';
import { damagedImage } from './invalid-media-error.ts';

const cleaners = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/webp': cleanWebp,
  'image/gif': cleanGif,
} as const;

export type ImageType = keyof typeof cleaners;

/**
 * Returns the image without position data, in the same memory. Keeps everything else, including the
 * orientation. Drops data after the end of the image, which may be another image or video with its
 * own position. GIFs have no field for a position, so all comments and application data are
 * removed.
 *
 * @throws InvalidMediaError for a malformed image.
 */
export function removePositionFromImage(type: ImageType, image: Buffer): CleanImage {
  try {
    return cleaners[type](image);
  } catch (failure) {
    throw failure instanceof RangeError ? damagedImage() : failure;
  }
}
