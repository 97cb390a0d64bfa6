import { crc32, deflateSync } from 'node:zlib';

/** Builds real image and video files, with the metadata that cameras write. */

/** In EXIF's format: degrees, minutes and seconds. */
const latitude = [52, 31, 12] as const;

type ExifOptions = { readonly isBigEndian?: boolean; readonly orientation?: number };

/** TIFF metadata: make, orientation, an EXIF directory, and a GPS directory. */
export function exif({ isBigEndian = false, orientation = 6 }: ExifOptions = {}): Buffer {
  const tiff = Buffer.alloc(400);
  const u16 = (value: number, at: number) =>
    isBigEndian ? tiff.writeUInt16BE(value, at) : tiff.writeUInt16LE(value, at);
  const u32 = (value: number, at: number) =>
    isBigEndian ? tiff.writeUInt32BE(value, at) : tiff.writeUInt32LE(value, at);
  const directory = (at: number, entries: ReadonlyArray<readonly number[]>) => {
    u16(entries.length, at);
    for (const [index, [tag = 0, type = 0, count = 0, value = 0]] of entries.entries()) {
      const entry = at + 2 + index * 12;
      u16(tag, entry);
      u16(type, entry + 2);
      u32(count, entry + 4);
      if (type === 3) {
        u16(value, entry + 8);
      } else {
        u32(value, entry + 8);
      }
    }
  };
  tiff.write(isBigEndian ? 'MM' : 'II', 0);
  u16(42, 2);
  u32(8, 4);
  directory(8, [
    [0x010f, 2, 8, 100],
    [0x0112, 3, 1, orientation],
    [0x8769, 4, 1, 120],
    [0x8825, 4, 1, 160],
  ]);
  tiff.write('Camera\0\0', 100);
  directory(120, [[0x9003, 2, 20, 140]]);
  tiff.write('2026:01:15 09:30:00\0', 140);
  directory(160, [
    [0x0000, 1, 4, isBigEndian ? 0x02030000 : 0x00000302],
    [0x0001, 2, 2, isBigEndian ? 0x4e000000 : 0x4e],
    [0x0002, 5, 3, 300],
    [0x0003, 2, 2, isBigEndian ? 0x45000000 : 0x45],
    [0x0004, 5, 3, 330],
  ]);
  for (const [index, value] of [...latitude, ...latitude].entries()) {
    const at = (index < 3 ? 300 : 330 - 24) + index * 8;
    u32(value, at);
    u32(1, at + 4);
  }

  return tiff;
}

export const xmp = [
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
  '<rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"',
  ' exif:GPSLatitude="52,31.2N" exif:GPSLongitude="13,24.6E" dc:format="image/jpeg">',
  '<exif:GPSAltitude>34/1</exif:GPSAltitude><dc:title>Engine</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>',
].join('');

export function exifSegment(tiff = exif()): Buffer {
  return Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
}

export function xmpSegment(packet = xmp): Buffer {
  return Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);

  return chunk;
}

export function png(chunks: readonly Buffer[] = [], { width = 8, height = 6 } = {}): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);

  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A text chunk with XMP in PNG's format. */
export function pngXmp(packet = xmp, isCompressed = false): Buffer {
  const head = Buffer.from(`XML:com.adobe.xmp\0${isCompressed ? '\x01' : '\0'}\0\0\0`, 'latin1');
  const text = Buffer.from(packet);

  return pngChunk('iTXt', Buffer.concat([head, isCompressed ? deflateSync(text) : text]));
}

function riffChunk(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 0, 'latin1');
  header.writeUInt32LE(data.length, 4);

  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}

export function webp(chunks: ReadonlyArray<readonly [type: string, data: Buffer]> = []): Buffer {
  const extended = Buffer.from([0x0c, 0, 0, 0, 15, 0, 0, 11, 0, 0]);
  const content = Buffer.concat([
    Buffer.from('WEBP'),
    riffChunk('VP8X', extended),
    riffChunk('VP8L', Buffer.from([0x2f, 0x0f, 0xc0, 0x02, 0x00])),
    ...chunks.map(([type, data]) => riffChunk(type, data)),
  ]);
  const header = Buffer.from('RIFF\0\0\0\0', 'latin1');
  header.writeUInt32LE(content.length, 4);

  return Buffer.concat([header, content]);
}

/** 16 × 8 pixels. The left half is red, and the right half is transparent. */
export const redWebp = Buffer.from(
  '5249464626000000574542505650384c190000002f0fc001100f10f3bffff31f2ac482c9fca53b5388e87fe40000',
  'hex',
);

/** @param extensions precede the image. */
export function gif(...extensions: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from('47494638396102000300800000000000ffffff', 'hex'),
    ...extensions,
    Buffer.from('21f90401000000002c00000000020003000002048c8fa951003b', 'hex'),
  ]);
}

export function gifExtension(label: number, ...blocks: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from([0x21, label]),
    ...blocks.flatMap((block) => [Buffer.from([block.length]), block]),
    Buffer.from([0]),
  ]);
}

export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8);
  header.write(type, 4, 'latin1');

  return Buffer.concat([header, content]);
}

export const position = '+52.5200+013.4050/';

/** User data in the format of Android and older cameras. */
export function positionUserData(): Buffer {
  const text = Buffer.from(position);
  const length = Buffer.from([0, text.length, 0x15, 0xc7]);

  return box(
    'udta',
    box('\xa9xyz', length, text),
    box('loci', Buffer.alloc(4), Buffer.from(`Berlin\0${position}`)),
    box('\xa9nam', Buffer.from('\0\x06\x15\xc7Engine', 'latin1')),
  );
}

/** Metadata with keys, in the format of iPhones. */
export function positionMetadata(): Buffer {
  const names = ['com.apple.quicktime.make', 'com.apple.quicktime.location.ISO6709'];
  const values = ['Apple', position];
  const count = Buffer.alloc(8);
  count.writeUInt32BE(names.length, 4);
  const items = values.map((value, index) => {
    const type = Buffer.alloc(4);
    type.writeUInt32BE(index + 1);

    return box(
      type.toString('latin1'),
      box('data', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(value)),
    );
  });

  return box(
    'meta',
    box('hdlr', Buffer.from('\0\0\0\0\0\0\0\0mdta\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')),
    box('keys', count, ...names.map((name) => box('mdta', Buffer.from(name)))),
    box('ilst', ...items),
  );
}

export type Mp4Options = {
  readonly brand?: string;
  readonly handler?: string;
  readonly isTurned?: boolean;
  readonly metadata?: readonly Buffer[];
  readonly afterwards?: readonly Buffer[];
  readonly videoBytes?: number;
};

export function movieHeader(): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1_000, 12);
  header.writeUInt32BE(2_500, 16);

  return box('mvhd', header);
}

export function movieIndex({
  handler = 'vide',
  isTurned = false,
  metadata = [],
}: Mp4Options): Buffer {
  const track = Buffer.alloc(84);
  const one = 0x00010000;
  const matrix = isTurned ? [0, one, 0, -one, 0] : [one, 0, 0, 0, one];
  for (const [index, value] of matrix.entries()) {
    track.writeInt32BE(value, 40 + index * 4);
  }
  track.writeUInt32BE(1_280 * one, 76);
  track.writeUInt32BE(720 * one, 80);
  const handling = Buffer.alloc(25);
  handling.write(handler, 8, 'latin1');

  return box(
    'moov',
    movieHeader(),
    box('trak', box('tkhd', track), box('mdia', box('hdlr', handling))),
    ...metadata,
  );
}

export function mp4(options: Mp4Options = {}): Buffer {
  const { brand = 'isom', afterwards = [], videoBytes = 1_000 } = options;

  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\x02\0${brand}mp41`, 'latin1')),
    box('mdat', Buffer.alloc(videoBytes, 7)),
    movieIndex(options),
    ...afterwards,
  ]);
}
