import type { Patch } from '#lib/platform/storage/stored-files.ts';
import { InvalidMediaError } from './invalid-media-error.ts';
import { blankPositionInXmp } from './position-in-xmp.ts';

/** A file whose parts can be read in any order. */
export type ByteSource = {
  readonly bytes: number;
  readonly read: (start: number, end: number) => Promise<Buffer>;
};

export type Movie = {
  readonly width: number;
  readonly height: number;
  /** Absent if the file does not contain it. */
  readonly durationSeconds?: number;
  /**
   * Replacements of the position data with empty boxes of the same size, so that no offset changes.
   */
  readonly patches: readonly Patch[];
};

/** A film of several hours has an index of 20 MB. */
const maxMetadataBytes = 64_000_000;
/** Real files have about three. Each is read from the storage. */
const maxMetadataBoxes = 100;
/** Fragmented files have two boxes for each fragment of some seconds. */
const maxBoxes = 50_000;
/** Files with positions have about five. Each needs two changes. */
const maxPatches = 1_000;
const windowBytes = 65_536;
const longHeaderBytes = 16;
const userTypeBytes = 16;

type Box = {
  readonly type: string;
  readonly start: number;
  readonly contentStart: number;
  readonly end: number;
};

const containers = new Set(['moov', 'trak', 'mdia', 'mvex', 'udta']);
const xmpUserType = 'be7acfcb97a942e89c71999491e3afac';
const positionBoxes = new Set(['\xa9xyz', 'loci']);
/** Keys of QuickTime metadata, such as `com.apple.quicktime.location.ISO6709`. */
const positionKey = /location|gps|latitude|longitude/i;

/**
 * Reads the properties of an MP4 or QuickTime file, and finds its position data. Reads only the
 * index and small boxes, not the video itself.
 *
 * @throws InvalidMediaError for a file without video, or a malformed one.
 */
export async function readMovie(source: ByteSource): Promise<Movie> {
  const found = new Findings();
  let metadataBytes = 0;
  let metadataBoxes = 0;
  try {
    for await (const box of topLevelBoxes(source)) {
      if (['moov', 'udta', 'meta', 'uuid'].includes(box.type)) {
        metadataBytes += box.end - box.start;
        metadataBoxes += 1;
        if (metadataBytes > maxMetadataBytes || metadataBoxes > maxMetadataBoxes) {
          throw tooLarge();
        }
        found.explore(await source.read(box.start, box.end), box.start);
      }
    }
  } catch (failure) {
    throw failure instanceof RangeError ? damaged() : failure;
  }

  return found.movie();
}

function damaged(): InvalidMediaError {
  return new InvalidMediaError('The video is damaged or incomplete');
}

function tooLarge(): InvalidMediaError {
  return new InvalidMediaError('The metadata of the video are too large');
}

async function* topLevelBoxes(source: ByteSource): AsyncGenerator<Box, void, undefined> {
  let window: { readonly start: number; readonly content: Buffer } = {
    start: 0,
    content: Buffer.alloc(0),
  };
  let boxes = 0;
  for (let at = 0; at < source.bytes; ) {
    if (at + longHeaderBytes > window.start + window.content.byteLength) {
      window = { start: at, content: await source.read(at, at + windowBytes) };
    }
    const { type, headerBytes, size } = readHeader(window.content, at - window.start);
    const end = size === 0 ? source.bytes : at + size;
    boxes += 1;
    if (end > source.bytes || boxes > maxBoxes) {
      throw damaged();
    }
    yield { type, start: at, contentStart: at + headerBytes, end };
    at = end;
  }
}

function readHeader(content: Buffer, at: number) {
  const shortSize = content.readUInt32BE(at);
  const type = content.toString('latin1', at + 4, at + 8);
  const isLong = shortSize === 1;
  const headerBytes = isLong ? longHeaderBytes : 8;
  const size = isLong ? Number(content.readBigUInt64BE(at + 8)) : shortSize;
  if (size !== 0 && size < headerBytes) {
    throw damaged();
  }

  return { type, headerBytes, size };
}

type Track = { readonly width: number; readonly height: number };

/** Collects the results from the boxes of a file. */
class Findings {
  private readonly patches: Patch[] = [];
  private hasMovie = false;
  private track: Track | undefined;
  private video: Track | undefined;
  private timescale = 0;
  private duration = 0;
  private content: Buffer = Buffer.alloc(0);
  private offset = 0;
  private boxes = 0;

  /** Explores a top-level box that begins at `offset` in the file. */
  explore(content: Buffer, offset: number): void {
    this.content = content;
    this.offset = offset;
    this.exploreBoxes(0, content.byteLength, '');
  }

  movie(): Movie {
    if (!this.hasMovie) {
      throw damaged();
    }
    if (!this.video) {
      throw new InvalidMediaError('The file contains no video');
    }
    const durationSeconds = this.timescale > 0 ? this.duration / this.timescale : 0;

    return {
      ...this.video,
      patches: this.patches,
      ...(durationSeconds > 0
        ? { durationSeconds: Math.round(durationSeconds * 1_000) / 1_000 }
        : {}),
    };
  }

  private *boxesIn(start: number, end: number): Generator<Box, void, undefined> {
    for (let at = start; at + 8 <= end; ) {
      const { type, headerBytes, size } = readHeader(this.content, at);
      const boxEnd = size === 0 ? end : at + size;
      if (boxEnd > end) {
        throw damaged();
      }
      this.boxes += 1;
      if (this.boxes > maxBoxes) {
        throw tooLarge();
      }
      yield { type, start: at, contentStart: at + headerBytes, end: boxEnd };
      at = boxEnd;
    }
  }

  private exploreBoxes(start: number, end: number, parent: string): void {
    for (const box of this.boxesIn(start, end)) {
      this.exploreBox(box, parent);
    }
  }

  private exploreBox(box: Box, parent: string): void {
    const { type, contentStart, end } = box;
    if (containers.has(type)) {
      this.hasMovie ||= type === 'moov';
      this.exploreBoxes(contentStart, end, type);
    } else if (type === 'meta') {
      this.exploreMetadata(box);
    } else if (positionBoxes.has(type)) {
      this.empty(box);
    } else if (type === 'XMP_' || (type === 'uuid' && this.isXmp(box))) {
      this.cleanXmp(box);
    } else if (parent === 'moov' || parent === 'trak' || parent === 'mdia' || parent === 'mvex') {
      this.readFacts(box);
    }
  }

  private readFacts({ type, contentStart: at, end }: Box): void {
    if (type === 'mvhd') {
      const isLong = this.content[at] === 1;
      this.timescale = this.content.readUInt32BE(at + (isLong ? 20 : 12));
      this.duration ||= this.durationAt(at + (isLong ? 24 : 16), isLong);
    } else if (type === 'mehd') {
      this.duration ||= this.durationAt(at + 4, this.content[at] === 1);
    } else if (type === 'tkhd') {
      this.track = this.readTrack(end);
    } else if (type === 'hdlr' && this.content.toString('latin1', at + 8, at + 12) === 'vide') {
      this.video ??= this.track;
    }
  }

  /** All bits set means unknown. */
  private durationAt(at: number, isLong: boolean): number {
    if (isLong) {
      const value = this.content.readBigUInt64BE(at);

      return value === 0xffff_ffff_ffff_ffffn ? 0 : Number(value);
    }
    const value = this.content.readUInt32BE(at);

    return value === 0xffff_ffff ? 0 : value;
  }

  /** The header ends with a matrix and the size, as numbers with 16 fractional bits. */
  private readTrack(end: number): Track | undefined {
    const [width, height] = [
      this.content.readUInt32BE(end - 8) >>> 16,
      this.content.readUInt32BE(end - 4) >>> 16,
    ];
    const matrix = end - 44;
    const isTurned =
      this.content.readInt32BE(matrix) === 0 && this.content.readInt32BE(matrix + 16) === 0;

    return isTurned ? { width: height, height: width } : { width, height };
  }

  /** In MP4, the content begins with a version; in QuickTime, it does not. */
  private exploreMetadata(box: Box): void {
    const { contentStart, end } = box;
    const isQuickTime =
      this.content.toString('latin1', contentStart + 4, contentStart + 8) === 'hdlr';
    const start = isQuickTime ? contentStart : contentStart + 4;
    const children = [...this.boxesIn(start, end)];
    const positions = new Set<number>();
    for (const child of children) {
      if (child.type === 'keys') {
        this.cleanKeys(child, positions);
      }
    }
    for (const child of children) {
      if (child.type === 'ilst') {
        this.cleanItems(child, positions);
      } else if (child.type !== 'keys') {
        this.exploreBox(child, 'meta');
      }
    }
  }

  /** The type of an item is a name, or the number of a key. */
  private cleanItems({ contentStart, end }: Box, positions: ReadonlySet<number>): void {
    for (const item of this.boxesIn(contentStart, end)) {
      const key = this.content.readUInt32BE(item.start + 4);
      if (positions.has(key) || positionBoxes.has(item.type)) {
        this.empty(item);
      }
    }
  }

  /** Blanks the names of position keys and collects their numbers, which begin at 1. */
  private cleanKeys({ contentStart, end }: Box, positions: Set<number>): void {
    let number = 0;
    for (const key of this.boxesIn(contentStart + 8, end)) {
      number += 1;
      if (positionKey.test(this.content.toString('latin1', key.contentStart, key.end))) {
        positions.add(number);
        this.replace(key.contentStart, Buffer.alloc(key.end - key.contentStart, ' '));
      }
    }
  }

  private isXmp({ contentStart }: Box): boolean {
    const userType = this.content.toString('hex', contentStart, contentStart + userTypeBytes);

    return userType === xmpUserType;
  }

  private cleanXmp(box: Box): void {
    const start = box.contentStart + (box.type === 'uuid' ? userTypeBytes : 0);
    const before = this.content.subarray(start, box.end);
    const packet = Buffer.from(before);
    if (!blankPositionInXmp(packet)) {
      this.empty(box);
    } else if (!packet.equals(before)) {
      this.replace(start, packet);
    }
  }

  /** Replaces a box with an empty one of the same size. */
  private empty({ start, contentStart, end }: Box): void {
    this.replace(start + 4, Buffer.from('free', 'latin1'));
    this.replace(contentStart, Buffer.alloc(end - contentStart));
  }

  private replace(at: number, content: Buffer): void {
    if (this.patches.length === maxPatches) {
      throw tooLarge();
    }
    this.patches.push({ offset: this.offset + at, content });
  }
}
