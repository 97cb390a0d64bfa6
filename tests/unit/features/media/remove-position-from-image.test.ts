import { createHash } from 'node:crypto';
import ExifReader from 'exifreader';
import { describe, expect, it } from 'vitest';
import { InvalidMediaError } from '#lib/features/media/processing/invalid-media-error.ts';
import { removePositionFromImage } from '#lib/features/media/processing/remove-position-from-image.ts';
import {
  exif,
  exifSegment,
  jpeg,
  mp4,
  png,
  pngChunk,
  pngXmp,
  positionUserData,
  webp,
  xmp,
  xmpSegment,
} from '#tests/support/media-files.ts';

/** Reads the metadata with an independent library. */
function metadataOf(image: Buffer) {
  const { exif: own, gps, xmp: packet } = ExifReader.load(image, { expanded: true });

  return {
    position: gps?.Latitude?.toFixed(2),
    orientation: own?.Orientation?.value,
    make: own?.Make?.description,
    takenAt: own?.DateTimeOriginal?.description,
    gpsTags: Object.keys(own ?? {}).filter((name) => name.startsWith('GPS')),
    title: packet?.title?.description,
    xmpPosition: packet?.GPSLatitude?.description ?? packet?.GPSAltitude?.description,
  };
}

const xmpKept = { title: 'Engine', xmpPosition: undefined };
const exifKept = {
  position: undefined,
  orientation: 6,
  make: 'Camera',
  takenAt: '2026:01:15 09:30:00',
  gpsTags: [],
};

describe('a JPEG', () => {
  it.each([true, false])('loses the position and nothing else (big endian: %s)', (isBigEndian) => {
    const image = jpeg({ app1: [exifSegment(exif({ isBigEndian })), xmpSegment()] });
    expect(metadataOf(image)).toMatchObject({ position: '52.52', xmpPosition: '52.52N' });
    const clean = removePositionFromImage('image/jpeg', Buffer.from(image));

    expect(metadataOf(clean)).toEqual({ ...exifKept, ...xmpKept });
    expect(clean.length).toBe(image.length);
    expect(clean.includes(Buffer.from([52, 0, 0, 0, 1]))).toBe(false);
  });

  it('without metadata stays the same', () => {
    expect(removePositionFromImage('image/jpeg', jpeg())).toEqual(jpeg());
  });

  it('loses malformed EXIF, which may still have a position', () => {
    const broken = exif();
    broken.writeUInt32LE(5_000, 160 + 2 + 2 * 12 + 8);

    expect(removePositionFromImage('image/jpeg', jpeg({ app1: [exifSegment(broken)] }))).toEqual(
      jpeg(),
    );
  });

  it('loses a cycle of directories without hanging', () => {
    const cyclic = exif();
    cyclic.writeUInt32LE(8, 8 + 2 + 4 * 12);
    const clean = removePositionFromImage('image/jpeg', jpeg({ app1: [exifSegment(cyclic)] }));

    expect(metadataOf(clean).position).toBeUndefined();
  });

  it('loses what follows its end, such as the video of a motion photo, and the index of it', () => {
    const motion = jpeg({
      app2: [Buffer.from('MPF\0II*\0'), Buffer.from('ICC_PROFILE\0colors')],
      trailer: mp4({ metadata: [positionUserData()] }),
    });

    expect(removePositionFromImage('image/jpeg', motion)).toEqual(
      jpeg({ app2: [Buffer.from('ICC_PROFILE\0colors')] }),
    );
  });

  it('loses extended XMP with a position, even across segments', () => {
    const header = Buffer.concat([
      Buffer.from('http://ns.adobe.com/xmp/extension/\0'),
      Buffer.alloc(40),
    ]);
    const parts = (first: string, second: string) =>
      jpeg({ app1: [first, second].map((text) => Buffer.concat([header, Buffer.from(text)])) });

    expect(removePositionFromImage('image/jpeg', parts('<a exif:GPSLat', 'itude="52"/>'))).toEqual(
      jpeg(),
    );
    expect(removePositionFromImage('image/jpeg', parts('<a b="', '1"/>'))).toEqual(
      parts('<a b="', '1"/>'),
    );
  });

  it('is rejected if a segment exceeds it', () => {
    expect(() => removePositionFromImage('image/jpeg', jpeg().subarray(0, 30))).toThrow(
      InvalidMediaError,
    );
  });
});

describe('a PNG', () => {
  it('loses the position and nothing else', () => {
    const image = png([pngChunk('eXIf', exif()), pngXmp()]);
    expect(metadataOf(image)).toMatchObject({ position: '52.52', xmpPosition: '52.52N' });
    const clean = removePositionFromImage('image/png', Buffer.from(image));

    expect(metadataOf(clean)).toEqual({ ...exifKept, ...xmpKept });
  });

  it('has valid checksums afterwards', () => {
    const clean = removePositionFromImage('image/png', png([pngChunk('eXIf', exif())]));
    const chunk = clean.subarray(33, 33 + 12 + 400);

    expect(chunk).toEqual(pngChunk('eXIf', chunk.subarray(8, -4)));
  });

  it.each([
    ['compressed XMP', pngXmp(xmp, true)],
    [
      'EXIF as hexadecimal text',
      pngChunk('tEXt', Buffer.from('Raw profile type exif\0\n45786966')),
    ],
    ['a position as text', pngChunk('tEXt', Buffer.from('exif:GPSLatitude\x0052/1'))],
  ])('loses %s', (_what, chunk) => {
    expect(removePositionFromImage('image/png', png([chunk]))).toEqual(png());
  });

  it('keeps other texts', () => {
    const image = png([pngChunk('tEXt', Buffer.from('Title\0Engine')), pngXmp('<a/>', true)]);

    expect(removePositionFromImage('image/png', Buffer.from(image))).toEqual(image);
  });

  it('is rejected if it has no end', () => {
    expect(() => removePositionFromImage('image/png', png().subarray(0, -12))).toThrow(
      InvalidMediaError,
    );
  });
});

describe('a WebP', () => {
  it.each([exif(), exifSegment()])('loses the position and nothing else', (metadata) => {
    const image = webp([
      ['EXIF', metadata],
      ['XMP ', Buffer.from(xmp)],
    ]);
    expect(metadataOf(image)).toMatchObject({ position: '52.52', xmpPosition: '52.52N' });
    const clean = removePositionFromImage('image/webp', Buffer.from(image));

    expect(metadataOf(clean)).toEqual({ ...exifKept, ...xmpKept });
    expect(clean.length).toBe(image.length);
  });

  it('loses malformed EXIF and what follows its end', () => {
    const image = Buffer.concat([webp([['EXIF', Buffer.from('52.52 13.40')]]), exif()]);
    const clean = removePositionFromImage('image/webp', image);

    expect(clean.includes('52.52')).toBe(false);
    expect(clean.length).toBe(image.length - 400);
  });
});

describe('XMP', () => {
  it.each([
    '<a drone:GpsLatitude = \'52\' c="1"/>',
    '<a><b:GPSPosition><c>1</c></b:GPSPosition></a>',
    '<a geo:longitude="13"/>',
  ])('loses %s', (packet) => {
    const clean = removePositionFromImage('image/webp', webp([['XMP ', Buffer.from(packet)]]));

    expect(clean.toString('latin1')).not.toMatch(/gps|longitude|latitude|52|13/i);
  });

  it.each([
    ['in UTF-16', Buffer.from('<a exif:GPSLatitude="52"/>', 'utf16le')],
    ['with text that only mentions one', Buffer.from('<a b="GPS 52"/>')],
    ['with thousands of them', Buffer.from('<a:gps>'.repeat(100_000))],
  ])('%s goes entirely', (_what, packet) => {
    const clean = removePositionFromImage('image/webp', webp([['XMP ', packet]]));

    expect(createHash('sha1').update(clean).digest('hex')).toBe(
      createHash('sha1')
        .update(webp([['gone', Buffer.alloc(packet.length)]]))
        .digest('hex'),
    );
  });
});
