import { removePositionFromExif } from './position-in-exif.ts';

export type CleanImage = {
  readonly image: Buffer;
  /** As in EXIF: how the pixels are turned for display. 1 means not at all. */
  readonly orientation: number;
};

export const exifHeader = 'Exif\0\0';

/** Keeps the orientation of the first EXIF metadata that can be read. */
export class Exif {
  orientation = 1;
  private isRead = false;

  /** Returns false if the metadata have to go. */
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

/** Drops parts of a file in place. The parts are kept in their order, each after it was read. */
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

  /** Returns what was kept. */
  result(): Buffer {
    return this.buffer.subarray(0, this.length);
  }
}
