import { deflateSync } from 'node:zlib';
import ExifReader from 'exifreader';
import { decode } from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { checkInThread } from '#lib/features/media/processing/media-thread.ts';
import { toJpeg } from '#lib/features/media/processing/to-jpeg.ts';
import { maxConvertedPixels } from '#schemas/media-limits.ts';
import { exif, png, pngChunk, redWebp, webp } from '#tests/support/media-files.ts';

type Color = readonly [red: number, green: number, blue: number, alpha: number];
const red: Color = [255, 0, 0, 255];
const blue: Color = [0, 0, 255, 255];
const nothing: Color = [0, 0, 0, 0];

/** A PNG of 32 × 16 pixels, in squares of eight pixels. */
function squares(rows: ReadonlyArray<readonly Color[]>, before: readonly Buffer[] = []): Buffer {
  const lines = rows.flatMap((row) => {
    const line = Buffer.from([0, ...row.flatMap((color) => Array(8).fill(color).flat())]);

    return Array<Buffer>(8).fill(line);
  });
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  header.writeUInt32BE((rows[0]?.length ?? 0) * 8);
  header.writeUInt32BE(rows.length * 8, 4);

  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', deflateSync(Buffer.concat(lines))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PNG without transparency. Decoding makes its pixels larger. */
function photo(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);

  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc((width * 3 + 1) * height), { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const names = { '255,0,0': 'red', '0,0,255': 'blue', '255,255,255': 'white' };

/** Returns the colors of the squares, by rows. */
function colorsOf(jpeg: Uint8Array): ReadonlyArray<readonly string[]> {
  const { width, height, data } = decode(jpeg);
  const colorAt = (x: number, y: number) => {
    const at = (y * width + x) * 4;
    const rounded = [...data.subarray(at, at + 3)].map((value) => Math.round(value / 51) * 51);

    return names[rounded.join() as keyof typeof names] ?? rounded.join();
  };

  return Array.from({ length: height / 8 }, (_, row) =>
    Array.from({ length: width / 8 }, (__, column) => colorAt(column * 8 + 4, row * 8 + 4)),
  );
}

describe('toJpeg', () => {
  it('shows transparent pixels on white', async () => {
    const jpeg = await toJpeg('image/png', squares([[red, nothing]]), 1);

    expect(colorsOf(jpeg)).toEqual([['red', 'white']]);
  });

  it('converts WebP', async () => {
    expect(colorsOf(await toJpeg('image/webp', redWebp, 1))).toEqual([['red', 'white']]);
  });

  // As in https://www.w3.org/TR/2021/REC-WebP-orientation: where the first row and column are shown.
  it.each([
    [
      1,
      [
        ['red', 'blue'],
        ['white', 'white'],
      ],
    ],
    [
      2,
      [
        ['blue', 'red'],
        ['white', 'white'],
      ],
    ],
    [
      3,
      [
        ['white', 'white'],
        ['blue', 'red'],
      ],
    ],
    [
      4,
      [
        ['white', 'white'],
        ['red', 'blue'],
      ],
    ],
    [
      5,
      [
        ['red', 'white'],
        ['blue', 'white'],
      ],
    ],
    [
      6,
      [
        ['white', 'red'],
        ['white', 'blue'],
      ],
    ],
    [
      7,
      [
        ['white', 'blue'],
        ['white', 'red'],
      ],
    ],
    [
      8,
      [
        ['blue', 'white'],
        ['red', 'white'],
      ],
    ],
  ])('rotates the pixels as orientation %i is displayed', async (orientation, colors) => {
    const image = squares([
      [red, blue],
      [nothing, nothing],
    ]);

    expect(colorsOf(await toJpeg('image/png', image, orientation))).toEqual(colors);
  });

  it('contains no metadata', async () => {
    const image = squares([[red]], [pngChunk('eXIf', exif())]);
    const jpeg = await toJpeg('image/png', image, 1);
    const { exif: own, gps, xmp } = ExifReader.load(Buffer.from(jpeg), { expanded: true });

    expect([own, gps, xmp]).toEqual([undefined, undefined, undefined]);
  });

  it('shrinks wide images to less than twice the width that Instagram shows', async () => {
    const { width, height } = decode(
      await toJpeg('image/png', png([], { width: 6_001, height: 601 }), 1),
    );

    expect([width, height]).toEqual([1_501, 151]);
  });

  it('converts the largest image within the memory of its thread', async () => {
    const width = 5_000;
    const image = photo(width, maxConvertedPixels / width);
    const source = {
      bytes: image.length,
      read: async (start: number, end: number) => Buffer.from(image.subarray(start, end)),
    };
    const { jpeg } = await checkInThread(source);

    expect(decode(jpeg ?? Buffer.alloc(0))).toMatchObject({ width: 1_667 });
  });

  it.each([
    ['image/png', png().subarray(0, 40)],
    ['image/png', Buffer.from('text')],
    ['image/webp', webp()],
  ] as const)('rejects an image that cannot be decoded: %s', async (type, image) => {
    await expect(toJpeg(type, image, 1)).rejects.toThrow('The image cannot be decoded');
  });
});
