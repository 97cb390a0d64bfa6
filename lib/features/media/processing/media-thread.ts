import { secondMs } from '#lib/platform/clock.ts';
import { inThread, ThreadLimitError } from '#lib/platform/work/in-thread.ts';
import { maxConvertedPixels } from '#schemas/media-limits.ts';
import { type Inspected, inspectMedia } from './inspect-media.ts';
import { InvalidMediaError } from './invalid-media-error.ts';
import type { ByteSource } from './movie.ts';
import { toJpeg } from './to-jpeg.ts';

type Range = { readonly start: number; readonly end: number };
type Task = { readonly bytes: number; readonly converts: boolean };

export type Checked = Inspected & {
  /** A PNG or WebP image as JPEG, if it can be converted. */
  readonly jpeg?: Uint8Array;
};

const check = inThread({
  name: 'checkMedia',
  file: import.meta.filename,
  // Reading 64 MB from the storage takes seconds, and converting 40 megapixels one second.
  timeoutMs: 30 * secondMs,
  // The buffers of 40 megapixels take up to 550 MB.
  memoryMb: 600,
  rejection: InvalidMediaError,
  run: async ({ bytes, converts }: Task, ask: (range: Range) => Promise<Uint8Array>) => {
    const inspected = await inspectMedia({
      bytes,
      read: async (start, end) => {
        const { buffer, byteOffset, byteLength } = await ask({ start, end });

        return Buffer.from(buffer, byteOffset, byteLength);
      },
    });
    const jpeg = converts ? await jpegOf(inspected) : undefined;

    return { ...inspected, ...(jpeg ? { jpeg } : {}) };
  },
});

async function jpegOf({
  contentType,
  image,
  width,
  height,
  orientation = 1,
}: Inspected): Promise<Uint8Array | undefined> {
  const isConvertible = contentType === 'image/png' || contentType === 'image/webp';
  if (!image || !isConvertible || width * height > maxConvertedPixels) {
    return undefined;
  }
  try {
    return await toJpeg(contentType, image, orientation);
  } catch (failure) {
    if (failure instanceof InvalidMediaError) {
      return undefined;
    }
    throw failure;
  }
}

/**
 * Inspects and converts a file in a thread. If it takes too long, only that thread ends.
 *
 * @throws InvalidMediaError, ThreadLimitError
 */
export async function checkInThread({ bytes, read }: ByteSource): Promise<Checked> {
  const answer = ({ start, end }: Range) => read(start, end);
  try {
    return await check({ bytes, converts: true }, answer);
  } catch (failure) {
    if (failure instanceof ThreadLimitError) {
      // Other networks may accept an image that cannot be converted.
      return await check({ bytes, converts: false }, answer);
    }
    throw failure;
  }
}
