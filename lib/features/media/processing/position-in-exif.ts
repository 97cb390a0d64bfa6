import { blankPositionInXmp } from './position-in-xmp.ts';

const tags = {
  orientation: 0x0112,
  subIfds: 0x014a,
  xmp: 0x02bc,
  exif: 0x8769,
  gps: 0x8825,
  interoperability: 0xa005,
};
const entryBytes = 12;
/**
 * In malicious files, entries can point to the same bytes any number of times. In real files, none
 * do.
 */
const maxPasses = 8;
/** Real files have at most six. */
const maxDirectories = 32;
/** Sizes of the TIFF value types, by type number. */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

class Tiff {
  readonly buffer: Buffer;
  /** The orientation in the first directory. */
  orientation = 1;
  private readonly isLittle: boolean;
  private readonly first: number;
  private readonly visited = new Set<number>();
  private bytesLeft: number;

  constructor(buffer: Buffer) {
    const order = buffer.toString('latin1', 0, 2);
    if (order !== 'II' && order !== 'MM') {
      throw new RangeError('Not a TIFF header');
    }
    this.buffer = buffer;
    this.isLittle = order === 'II';
    this.first = this.u32(4);
    this.bytesLeft = buffer.byteLength * maxPasses;
  }

  /**
   * Call it before reading or changing this many bytes. It limits the work to a multiple of the
   * metadata's size.
   */
  private spend(bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft < 0) {
      throw new RangeError('Too many references to the same bytes');
    }
  }

  u16(at: number): number {
    return this.isLittle ? this.buffer.readUInt16LE(at) : this.buffer.readUInt16BE(at);
  }

  u32(at: number): number {
    return this.isLittle ? this.buffer.readUInt32LE(at) : this.buffer.readUInt32BE(at);
  }

  setU16(at: number, value: number): void {
    if (this.isLittle) {
      this.buffer.writeUInt16LE(value, at);
    } else {
      this.buffer.writeUInt16BE(value, at);
    }
  }

  /** Removes positions from the first directory, the following ones, and all nested ones. */
  clean(): void {
    for (let at = this.first; at !== 0 && this.cleanDirectory(at); ) {
      const next = at + 2 + this.u16(at) * entryBytes;
      at = next + 4 <= this.buffer.byteLength ? this.u32(next) : 0;
    }
  }

  /** Returns false if the directory was already cleaned. */
  private cleanDirectory(at: number): boolean {
    if (this.visited.has(at)) {
      return false;
    }
    this.visited.add(at);
    if (this.visited.size > maxDirectories) {
      throw new RangeError('Too many directories');
    }
    const count = this.u16(at);
    this.spend(count * entryBytes);
    // Backwards, because removing an entry moves the later ones.
    for (let index = count - 1; index >= 0; index -= 1) {
      this.cleanEntry(at, index);
    }

    return true;
  }

  private cleanEntry(directory: number, index: number): void {
    const entry = directory + 2 + index * entryBytes;
    const tag = this.u16(entry);
    if (tag === tags.gps) {
      this.wipeDirectory(this.u32(entry + 8));
      this.removeEntry(directory, index);
    } else if (tag === tags.exif || tag === tags.interoperability) {
      this.cleanDirectory(this.u32(entry + 8));
    } else if (tag === tags.subIfds) {
      for (const offset of this.offsetsOf(entry)) {
        this.cleanDirectory(offset);
      }
    } else if (tag === tags.orientation && directory === this.first) {
      this.orientation = this.u16(entry + 8);
    } else if (tag === tags.xmp) {
      const { start, end } = this.valueOf(entry);
      this.spend(end - start);
      if (!blankPositionInXmp(this.buffer.subarray(start, end))) {
        this.buffer.fill(0x20, start, end);
      }
    }
  }

  private offsetsOf(entry: number): readonly number[] {
    const { start } = this.valueOf(entry);
    const count = Math.min(this.u32(entry + 4), maxDirectories);
    this.spend(count * 4);

    return Array.from({ length: count }, (_, index) => this.u32(start + index * 4));
  }

  /** Values of up to four bytes are in the entry itself. */
  private valueOf(entry: number): { readonly start: number; readonly end: number } {
    const size = (typeBytes[this.u16(entry + 2)] ?? 1) * this.u32(entry + 4);
    const start = size <= 4 ? entry + 8 : this.u32(entry + 8);
    if (start + size > this.buffer.byteLength) {
      throw new RangeError('A value is outside of the metadata');
    }

    return { start, end: start + size };
  }

  private wipeDirectory(at: number): void {
    const count = this.u16(at);
    this.spend(count * entryBytes);
    for (let index = 0; index < count; index += 1) {
      const { start, end } = this.valueOf(at + 2 + index * entryBytes);
      this.spend(end - start);
      this.buffer.fill(0, start, end);
    }
    this.buffer.fill(0, at, at + 2 + count * entryBytes);
  }

  /** Moves the later entries and the offset of the next directory forward. */
  private removeEntry(directory: number, index: number): void {
    const count = this.u16(directory);
    const entry = directory + 2 + index * entryBytes;
    const end = Math.min(directory + 2 + count * entryBytes + 4, this.buffer.byteLength);
    this.spend(end - entry);
    this.buffer.copy(this.buffer, entry, entry + entryBytes, end);
    this.buffer.fill(0, end - entryBytes, end);
    this.setU16(directory, count - 1);
  }
}

/**
 * Removes the GPS directory and the position in embedded XMP from EXIF metadata, in place.
 *
 * @returns the orientation, 1 by default; `undefined` for malformed metadata, which may still
 * contain a position.
 */
export function removePositionFromExif(exif: Buffer): number | undefined {
  try {
    const tiff = new Tiff(exif);
    tiff.clean();

    return tiff.orientation;
  } catch (failure) {
    if (failure instanceof RangeError) {
      return undefined;
    }
    throw failure;
  }
}
