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
 * Returns the image without position data, in the same memory. Everything else stays, including the
 * orientation. Data after the end of the image is dropped: it may be another image or video with its
 * own position. GIFs have no place for a position, so they lose all comments and application data.
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
