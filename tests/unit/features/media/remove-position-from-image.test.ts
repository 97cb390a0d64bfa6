import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import ExifReader from 'exifreader';
import { imageSize } from 'image-size';
import { describe, expect, it } from 'vitest';
import { InvalidMediaError } from '#lib/features/media/processing/invalid-media-error.ts';
import {
  type ImageType,
  removePositionFromImage,
} from '#lib/features/media/processing/remove-position-from-image.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import {
  exif,
  exifSegment,
  gif,
  gifExtension,
  mp4,
  png,
  pngChunk,
  pngXmp,
  positionUserData,
  webp,
  xmp,
  xmpSegment,
} from '#tests/support/media-files.ts';

function cleaned(type: ImageType, image: Buffer): Buffer {
  return removePositionFromImage(type, image).image;
}

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

describe('a JPEG whose location is removed', () => {
  it.each([true, false])('loses only the location (big endian: %s)', (isBigEndian) => {
    const image = jpeg({ app1: [exifSegment(exif({ isBigEndian })), xmpSegment()] });
    expect(metadataOf(image)).toMatchObject({ position: '52.52', xmpPosition: '52.52N' });
    const clean = cleaned('image/jpeg', Buffer.from(image));

    expect(metadataOf(clean)).toEqual({ ...exifKept, ...xmpKept });
    expect(clean.length).toBe(image.length);
    expect(clean.includes(Buffer.from([52, 0, 0, 0, 1]))).toBe(false);
  });

  it('stays the same if it has no metadata', () => {
    expect(cleaned('image/jpeg', jpeg())).toEqual(jpeg());
  });

  it('loses malformed EXIF, which may contain a location', () => {
    const broken = exif();
    broken.writeUInt32LE(5_000, 160 + 2 + 2 * 12 + 8);

    expect(cleaned('image/jpeg', jpeg({ app1: [exifSegment(broken)] }))).toEqual(jpeg());
  });

  it('loses a cycle of directories, and does not cause an endless loop', () => {
    const cyclic = exif();
    cyclic.writeUInt32LE(8, 8 + 2 + 4 * 12);
    const clean = cleaned('image/jpeg', jpeg({ app1: [exifSegment(cyclic)] }));

    expect(metadataOf(clean).position).toBeUndefined();
  });

  it('loses data after its end, such as the video of a motion photo, and the index of this data', () => {
    const motion = jpeg({
      app2: [Buffer.from('MPF\0II*\0'), Buffer.from('ICC_PROFILE\0colors')],
      trailer: mp4({ metadata: [positionUserData()] }),
    });

    expect(cleaned('image/jpeg', motion)).toEqual(
      jpeg({ app2: [Buffer.from('ICC_PROFILE\0colors')] }),
    );
  });

  it('loses extended XMP with a location, even across segments', () => {
    const header = Buffer.concat([
      Buffer.from('http://ns.adobe.com/xmp/extension/\0'),
      Buffer.alloc(40),
    ]);
    const parts = (first: string, second: string) =>
      jpeg({ app1: [first, second].map((text) => Buffer.concat([header, Buffer.from(text)])) });

    expect(cleaned('image/jpeg', parts('<a exif:GPSLat', 'itude="52"/>'))).toEqual(jpeg());
    expect(cleaned('image/jpeg', parts('<a b="', '1"/>'))).toEqual(parts('<a b="', '1"/>'));
  });

  it('may have fill bytes before each marker', () => {
    const image = jpeg({ app1: [exifSegment()] });
    const withFillBytes = filled(image);
    expect(withFillBytes.length).toBeGreaterThan(image.length + 10);
    const clean = cleaned('image/jpeg', withFillBytes);

    expect(metadataOf(clean)).toMatchObject({ position: undefined, orientation: 6 });
    expect(clean.length).toBeLessThan(withFillBytes.length);
    expect(imageSize(clean)).toMatchObject({ width: 40, height: 30 });
  });

  it('gets an end marker if it has none', () => {
    expect(cleaned('image/jpeg', jpeg().subarray(0, -2))).toEqual(jpeg());
  });

  it('may have markers without content', () => {
    const image = Buffer.concat([
      jpeg().subarray(0, 2),
      Buffer.from([0xff, 0x01]),
      jpeg().subarray(2),
    ]);

    expect(cleaned('image/jpeg', Buffer.from(image))).toEqual(image);
  });

  it('is rejected if it has no picture', () => {
    const start = jpeg();

    expect(() => cleaned('image/jpeg', start.subarray(0, start.indexOf('ffda', 'hex')))).toThrow(
      'The image is damaged',
    );
  });

  it('is rejected if a segment exceeds it', () => {
    expect(() => cleaned('image/jpeg', jpeg().subarray(0, 30))).toThrow(InvalidMediaError);
  });
});

/** Adds fill bytes before each marker outside of compressed data. */
function filled(image: Buffer): Buffer {
  const parts = [image.subarray(0, 2)];
  let at = 2;
  while (image[at + 1] !== 0xda) {
    const end = at + 2 + image.readUInt16BE(at + 2);
    parts.push(Buffer.alloc(3, 0xff), image.subarray(at, end));
    at = end;
  }

  return Buffer.concat([
    ...parts,
    Buffer.from([0xff]),
    image.subarray(at, -2),
    Buffer.alloc(2, 0xff),
    image.subarray(-2),
  ]);
}

function compressedText(keyword: string, text: string): Buffer {
  return pngChunk('zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(text)]));
}

describe('a PNG whose location is removed', () => {
  it('loses only the location', () => {
    const image = png([pngChunk('eXIf', exif()), pngXmp()]);
    expect(metadataOf(image)).toMatchObject({ position: '52.52', xmpPosition: '52.52N' });
    const clean = cleaned('image/png', Buffer.from(image));

    expect(metadataOf(clean)).toEqual({ ...exifKept, ...xmpKept });
  });

  it('has valid checksums afterwards', () => {
    const clean = cleaned('image/png', png([pngChunk('eXIf', exif())]));
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
    ['a text about a position', pngChunk('tEXt', Buffer.from('Comment\0Longitude 13.4'))],
    ['XMP as compressed text', compressedText('XML:com.adobe.xmp', xmp)],
    ['a text that cannot be decompressed', pngChunk('zTXt', Buffer.from('Comment\0\0text'))],
  ])('loses %s', (_what, chunk) => {
    expect(cleaned('image/png', png([chunk]))).toEqual(png());
  });

  it.each([
    ['tEXt', 'XML:com.adobe.xmp\0'],
    ['iTXt', 'xml:com.adobe.XMP\0\0\0\0\0'],
  ])('loses only the location in XMP in %s', (type, head) => {
    const clean = cleaned('image/png', png([pngChunk(type, Buffer.from(`${head}${xmp}`))]));

    expect(clean.includes('52,31.2N')).toBe(false);
    expect(clean.includes('Engine')).toBe(true);
  });

  it('keeps a compressed text on its own', () => {
    const harmless = pngXmp('<a b="1"/>', true);

    expect(cleaned('image/png', png([harmless, harmless]))).toEqual(png([harmless]));
  });

  it('keeps other texts', () => {
    const image = png([pngChunk('tEXt', Buffer.from('Title\0Engine')), pngXmp('<a/>', true)]);

    expect(cleaned('image/png', Buffer.from(image))).toEqual(image);
  });

  it('is rejected if it has no end', () => {
    expect(() => cleaned('image/png', png().subarray(0, -12))).toThrow(InvalidMediaError);
  });
});

describe('a WebP image whose location is removed', () => {
  it.each([exif(), exifSegment()])('loses only the location', (metadata) => {
    const image = webp([
      ['EXIF', metadata],
      ['XMP ', Buffer.from(xmp)],
    ]);
    expect(metadataOf(image)).toMatchObject({ position: '52.52', xmpPosition: '52.52N' });
    const clean = cleaned('image/webp', Buffer.from(image));

    expect(metadataOf(clean)).toEqual({ ...exifKept, ...xmpKept });
    expect(clean.length).toBe(image.length);
  });

  it('loses malformed EXIF and data after its end', () => {
    const image = Buffer.concat([webp([['EXIF', Buffer.from('52.52 13.40')]]), exif()]);
    const clean = cleaned('image/webp', image);

    expect(clean.includes('52.52')).toBe(false);
    expect(clean.length).toBe(image.length - 400);
  });
});

describe('XMP that contains a location', () => {
  it.each([
    '<a drone:GpsLatitude = \'52\' c="1"/>',
    '<a><b:GPSPosition><c>1</c></b:GPSPosition></a>',
    '<a geo:longitude="13"/>',
  ])('loses %s', (packet) => {
    const clean = cleaned('image/webp', webp([['XMP ', Buffer.from(packet)]]));

    expect(clean.toString('latin1')).not.toMatch(/gps|longitude|latitude|52|13/i);
  });

  it.each([
    ['in UTF-16', Buffer.from('<a exif:GPSLatitude="52"/>', 'utf16le')],
    ['with text that only mentions one', Buffer.from('<a b="GPS 52"/>')],
    ['with thousands of them', Buffer.from('<a:gps>'.repeat(100_000))],
  ])('is removed entirely if it is %s', (_what, packet) => {
    const clean = cleaned('image/webp', webp([['XMP ', packet]]));

    expect(createHash('sha1').update(clean).digest('hex')).toBe(
      createHash('sha1')
        .update(webp([['gone', Buffer.alloc(packet.length)]]))
        .digest('hex'),
    );
  });
});

describe('a GIF whose location is removed', () => {
  const loop = gifExtension(0xff, Buffer.from('NETSCAPE2.0'), Buffer.from([1, 5, 0]));

  it('keeps its images, colors and repetitions', () => {
    const animation = gif(loop);

    expect(cleaned('image/gif', Buffer.from(animation))).toEqual(animation);
  });

  it.each([
    ['comments', gifExtension(0xfe, Buffer.from('GPS 52.52'))],
    ['XMP', gifExtension(0xff, Buffer.from('XMP DataXMP'), Buffer.from(xmp.slice(0, 200)))],
    ['other application data', gifExtension(0xff, Buffer.from('EVILDATA1.0'), Buffer.from('x'))],
  ])('loses %s', (_, extension) => {
    expect(cleaned('image/gif', gif(extension))).toEqual(gif());
  });

  it('loses data after its repetitions, and after its end', () => {
    const hidden = gifExtension(
      0xff,
      Buffer.from('NETSCAPE2.0'),
      Buffer.from([1, 5, 0]),
      Buffer.from('GPS 52.52'),
    );

    expect(cleaned('image/gif', Buffer.concat([gif(hidden), jpeg()]))).toEqual(gif(loop));
  });

  it('gets an end marker if it has none', () => {
    expect(cleaned('image/gif', gif().subarray(0, -1))).toEqual(gif());
  });

  it.each([
    ['a script', Buffer.from('GIF89a/*<script>*/=1;alert(1)//')],
    ['no image', Buffer.concat([gif().subarray(0, 19), Buffer.from(';')])],
    ['half an image', gif().subarray(0, -3)],
  ])('is rejected if it is %s', (_, image) => {
    expect(() => cleaned('image/gif', image)).toThrow('The image is damaged');
  });
});
