import { describe, expect, it } from 'vitest';
import { inspectMedia } from '#lib/features/media/processing/inspect-media.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import {
  box,
  exif,
  exifSegment,
  gif,
  movieHeader,
  movieIndex,
  mp4,
  png,
  pngChunk,
  position,
  positionMetadata,
  positionUserData,
  webp,
  xmp,
} from '#tests/support/media-files.ts';

function sourceOf(content: Buffer) {
  return {
    bytes: content.length,
    read: async (start: number, end: number) => content.subarray(start, end),
  };
}

function inspect(content: Buffer) {
  return inspectMedia(sourceOf(content));
}

async function patchedBy(content: Buffer): Promise<Buffer> {
  const result = Buffer.from(content);
  for (const { offset, content: replacement } of (await inspect(content)).patches) {
    result.set(replacement, offset);
  }

  return result;
}

/** Returns the paths of all boxes, and checks that they fill the file exactly. */
function boxesOf(content: Buffer, path = ''): readonly string[] {
  const paths: string[] = [];
  let at = 0;
  while (at < content.length) {
    const size = content.readUInt32BE(at);
    const type = content.toString('latin1', at + 4, at + 8);
    const own = `${path}/${type}`;
    paths.push(own);
    if (['moov', 'trak', 'mdia', 'udta', 'meta', 'ilst'].includes(type)) {
      paths.push(...boxesOf(content.subarray(at + 8, at + size), own));
    }
    at += size;
  }
  expect(at).toBe(content.length);

  return paths;
}

it.each([
  ['JPEG', jpeg(), { contentType: 'image/jpeg', width: 40, height: 30 }],
  ['PNG', png(), { contentType: 'image/png', width: 8, height: 6 }],
  ['WebP', webp(), { contentType: 'image/webp', width: 16, height: 12 }],
  ['GIF', gif(), { contentType: 'image/gif', width: 2, height: 3 }],
])('inspectMedia recognizes a %s as an image with its size', async (_type, content, facts) => {
  expect(await inspect(content)).toMatchObject({ kind: 'IMAGE', ...facts });
});

it('inspectMedia returns the displayed size of a rotated image, which keeps its orientation', async () => {
  const { width, height, image } = await inspect(jpeg({ app1: [exifSegment(exif())] }));

  expect([width, height]).toEqual([30, 40]);
  expect(Buffer.from(image ?? []).includes('1201030001000000060000', 'hex')).toBe(true);
});

it.each([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['PDF', Buffer.from('%PDF-1.7\n')],
  ['HEIC', box('ftyp', Buffer.from('heic\0\0\0\0heicmif1'))],
  ['text', Buffer.from('hello')],
  ['nothing', Buffer.alloc(0)],
])('inspectMedia rejects %s', async (_type, content) => {
  await expect(inspect(content)).rejects.toThrow(/^The file is not a JPEG/);
});

it.each([
  ['PNG', png([], { width: 4_294_967_295, height: 1 })],
  ['PNG', png([], { width: 20_000, height: 20_000 })],
  [
    'GIF',
    Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0x31, 0x75, 1, 0]), gif().subarray(10)]),
  ],
])('inspectMedia rejects a %s with too many pixels', async (_type, content) => {
  await expect(inspect(content)).rejects.toThrow(
    'Images can have at most 200 megapixels and 30,000 pixels on each side',
  );
});

it.each([
  ['PNG', png([pngChunk('eXIf', exif())]), [6, 8]],
  ['WebP', webp([['EXIF', exif()]]), [12, 16]],
])('inspectMedia returns the displayed size of a rotated %s', async (_type, content, size) => {
  const { width, height, orientation } = await inspect(content);

  expect([[width, height], orientation]).toEqual([size, 6]);
});

it('inspectMedia accepts a PNG with a large color profile', async () => {
  const content = png([pngChunk('iCCP', Buffer.alloc(100_000))]);

  expect(await inspect(content)).toMatchObject({ contentType: 'image/png', width: 8, height: 6 });
});

it('inspectMedia accepts a JPEG with fill bytes', async () => {
  const image = jpeg();
  const content = Buffer.concat([image.subarray(0, 2), Buffer.from([0xff]), image.subarray(2)]);

  expect(await inspect(content)).toMatchObject({ width: 40, height: 30 });
});

it.each([
  ['JPEG without a size', Buffer.from('ffd8ffe000104a46494600', 'hex'), 'The image is damaged'],
  ['video without an index', mp4().subarray(0, 1_030), 'The video is damaged or incomplete'],
  ['video that ends early', mp4().subarray(0, -5), 'The video is damaged or incomplete'],
  ['file with sound alone', mp4({ handler: 'soun' }), 'The file contains no video'],
])('inspectMedia rejects a %s', async (_what, content, message) => {
  await expect(inspect(content)).rejects.toThrow(message);
});

it('inspectMedia rejects an image of more than 20 MB', async () => {
  const large = jpeg({ trailer: Buffer.alloc(20_000_000) });

  await expect(inspect(large)).rejects.toThrow('Images can have at most 20 MB');
});

describe('a video that is inspected', () => {
  it('has its displayed size and its duration', async () => {
    expect(await inspect(mp4())).toEqual({
      kind: 'VIDEO',
      contentType: 'video/mp4',
      extension: 'mp4',
      width: 1_280,
      height: 720,
      durationSeconds: 2.5,
      patches: [],
    });
    expect(await inspect(mp4({ isTurned: true, brand: 'qt  ' }))).toMatchObject({
      contentType: 'video/quicktime',
      width: 720,
      height: 1_280,
    });
  });

  it('loses the location in user data and keys, while every offset stays the same', async () => {
    const content = mp4({ metadata: [positionUserData(), positionMetadata()] });
    const clean = await patchedBy(content);

    expect(clean.length).toBe(content.length);
    expect(clean.includes(position)).toBe(false);
    expect(clean.toString('latin1')).not.toMatch(/location|loci|xyz|Berlin/);
    expect(clean.includes('Engine')).toBe(true);
    expect(clean.includes('com.apple.quicktime.make')).toBe(true);
    expect(clean.includes('Apple')).toBe(true);
    expect(boxesOf(clean)).toEqual([
      '/ftyp',
      '/mdat',
      '/moov',
      '/moov/mvhd',
      '/moov/trak',
      '/moov/trak/tkhd',
      '/moov/trak/mdia',
      '/moov/trak/mdia/hdlr',
      '/moov/udta',
      '/moov/udta/free',
      '/moov/udta/free',
      '/moov/udta/\xa9nam',
      '/moov/meta',
      '/moov/meta/hdlr',
      '/moov/meta/keys',
      '/moov/meta/ilst',
      '/moov/meta/ilst/\0\0\0\x01',
      '/moov/meta/ilst/free',
    ]);
    expect(clean.indexOf('mdat')).toBe(content.indexOf('mdat'));
  });

  it('loses the location in XMP after the index, and in MP4 metadata with a version', async () => {
    const userType = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
    const versioned = Buffer.concat([Buffer.alloc(4), positionMetadata().subarray(8)]);
    const content = mp4({
      metadata: [box('udta', box('meta', versioned))],
      afterwards: [box('uuid', userType, Buffer.from(xmp))],
    });
    const clean = await patchedBy(content);

    expect(clean.includes(position)).toBe(false);
    expect(clean.includes('GPS')).toBe(false);
    expect(clean.includes('<dc:title>Engine</dc:title>')).toBe(true);
    expect(clean.length).toBe(content.length);
  });

  it('has its index read from the end of the file, without its other data', async () => {
    const index = movieIndex({ metadata: [positionUserData()] });
    const start = box('ftyp', Buffer.from('isom\0\0\x02\0isommp41', 'latin1'));
    const long = Buffer.alloc(16);
    long.writeUInt32BE(1);
    long.write('mdat', 4);
    const mediaBytes = 900_000_000;
    long.writeBigUInt64BE(BigInt(mediaBytes), 8);
    const read: number[] = [];
    const bytes = start.length + mediaBytes + index.length;
    const facts = await inspectMedia({
      bytes,
      read: async (from, until) => {
        read.push(Math.min(until, bytes) - from);
        const end = Math.min(until, bytes);
        if (from >= bytes - index.length) {
          return index.subarray(from - (bytes - index.length), end - (bytes - index.length));
        }

        return Buffer.concat([start, long, Buffer.alloc(65_536)]).subarray(from, end);
      },
    });

    expect(facts).toMatchObject({ width: 1_280 });
    expect(facts.patches[0]?.offset).toBeGreaterThan(mediaBytes);
    expect(Math.max(...read)).toBeLessThan(100_000);
  });

  it('is rejected if its index is larger than 64 MB', async () => {
    const content = mp4({ metadata: [box('free', Buffer.alloc(64_000_000))] });

    await expect(inspect(content)).rejects.toThrow('The metadata of the video are too large');
  });

  it('is rejected if several indexes are larger than 64 MB together', async () => {
    const half = box('udta', box('free', Buffer.alloc(33_000_000)));
    const content = mp4({ afterwards: [half, half] });

    await expect(inspect(content)).rejects.toThrow('The metadata of the video are too large');
  });

  it('is rejected if it has more than 100 indexes, each of which must be read', async () => {
    const content = mp4({ afterwards: Array.from({ length: 100 }, () => box('udta')) });
    let reads = 0;
    const source = {
      bytes: content.length,
      read: async (start: number, end: number) => {
        reads += 1;

        return Buffer.from(content.subarray(start, end));
      },
    };

    await expect(inspectMedia(source)).rejects.toThrow('The metadata of the video are too large');
    expect(reads).toBeLessThan(110);
  });

  it.each([
    ['positions', box('udta', ...Array.from({ length: 1_000 }, () => box('loci')))],
    ['boxes', box('udta', ...Array.from({ length: 50_000 }, () => box('free')))],
    [
      'boxes in metadata',
      box('meta', Buffer.alloc(4), ...Array.from({ length: 50_000 }, () => box('free'))),
    ],
  ])('is rejected if it has too many %s', async (_what, metadata) => {
    await expect(inspect(mp4({ metadata: [metadata] }))).rejects.toThrow(
      'The metadata of the video are too large',
    );
  });

  it('has the duration from its own header if it is fragmented', async () => {
    const header = movieHeader();
    header.writeUInt32BE(0, 8 + 16);
    const fragments = Buffer.alloc(8);
    fragments.writeUInt32BE(7_000, 4);
    const index = movieIndex({ metadata: [box('mvex', box('mehd', fragments))] });
    header.copy(index, 8);
    const content = Buffer.concat([
      box('ftyp', Buffer.from('iso5\0\0\x02\0iso5mp41', 'latin1')),
      index,
    ]);

    expect(await inspect(content)).toMatchObject({ durationSeconds: 7 });
  });
});
