import { removePositionFromExif } from './position-in-exif.ts';

export type CleanImage = {
  readonly image: Buffer;
  /** The EXIF orientation: how to rotate the pixels for display. 1 means no rotation. */
  readonly orientation: number;
};

export const exifHeader = 'Exif\0\0';

/** Keeps the orientation from the first readable EXIF metadata. */
export class Exif {
  orientation = 1;
  private isRead = false;

  /** Returns false if the metadata must be removed. */
  clean(content: Buffer): boolean {
    const orientation = removePositionFromExif(content);
    if (orientation !== undefined && !this.isRead) {
      this.isRead = true;
      this.orientation = orientation;
    }

    return orientation !== undefined;
  }
}

export function startsWith(content: Buffer, header: string): boolean {
  return content.toString('latin1', 0, header.length) === header;
}

/**
 * Drops parts of a file in place. Keeps the order of the remaining parts. Each must be read before
 * it is kept.
 */
export class Compacted {
  private readonly buffer: Buffer;
  private length = 0;

  constructor(buffer: Buffer) {
    this.buffer = buffer;
  }

  keep(start: number, end: number): void {
    if (start > this.length) {
      this.buffer.copyWithin(this.length, start, end);
    }
    this.length += end - start;
  }

  /** Returns the remaining parts. */
  result(): Buffer {
    return this.buffer.subarray(0, this.length);
  }
}
