import { type CleanImage, Compacted, Exif, exifHeader, startsWith } from './clean-image.ts';
import { damagedImage } from './invalid-media-error.ts';
import { blankPositionInXmp, mentionsPosition } from './position-in-xmp.ts';

const xmpHeader = 'http://ns.adobe.com/xap/1.0/\0';
const extendedXmpHeader = 'http://ns.adobe.com/xmp/extension/\0';
/** A GUID, the length and the offset precede the content. */
const extendedXmpBytes = extendedXmpHeader.length + 40;
/** An index of additional images in the same file. They are dropped. */
const multiPictureHeader = 'MPF\0';

const jpeg = { startOfScan: 0xda, end: 0xd9, app1: 0xe1, app2: 0xe2, private: 0x01 };
const endOfJpeg = Buffer.from([0xff, jpeg.end]);

export function cleanJpeg(image: Buffer): CleanImage {
  const extension: Buffer[] = [];
  let hasScan = false;
  for (const { marker, content } of segmentsOf(image)) {
    hasScan ||= marker === jpeg.startOfScan;
    if (startsWith(content, extendedXmpHeader)) {
      extension.push(content.subarray(extendedXmpBytes));
    }
  }
  if (!hasScan) {
    throw damagedImage();
  }
  const keepsExtension = !mentionsPosition(Buffer.concat(extension).toString('latin1'));
  const exif = new Exif();
  const compacted = new Compacted(image);
  compacted.keep(0, 2);
  let last = 0;
  for (const { marker, content, start, end } of segmentsOf(image)) {
    last = marker;
    if (keepsSegment(marker, content, keepsExtension, exif)) {
      compacted.keep(start, end);
    }
  }
  const cleaned = compacted.result();

  return {
    // Decoders show an image without an end marker, but warn about it.
    image: last === jpeg.end ? cleaned : Buffer.concat([cleaned, endOfJpeg]),
    orientation: exif.orientation,
  };
}

function keepsSegment(
  marker: number,
  content: Buffer,
  keepsExtension: boolean,
  exif: Exif,
): boolean {
  if (marker === jpeg.app2) {
    return !startsWith(content, multiPictureHeader);
  }
  if (marker !== jpeg.app1) {
    return true;
  }
  if (startsWith(content, extendedXmpHeader)) {
    return keepsExtension;
  }
  if (startsWith(content, exifHeader)) {
    return exif.clean(content.subarray(exifHeader.length));
  }

  return startsWith(content, xmpHeader)
    ? blankPositionInXmp(content.subarray(xmpHeader.length))
    : true;
}

type Segment = {
  readonly marker: number;
  readonly content: Buffer;
  readonly start: number;
  readonly end: number;
};

/**
 * Yields the segments up to the end of the image, each scan with its compressed data. Omits the
 * fill bytes that may precede a marker (ITU T.81, B.1.1.2), because not all programs expect them.
 */
function* segmentsOf(image: Buffer): Generator<Segment, void, undefined> {
  for (let at = 2; at < image.byteLength; ) {
    if (image[at] !== 0xff) {
      throw damagedImage();
    }
    while (image[at + 1] === 0xff) {
      at += 1;
    }
    const start = at;
    const marker = image.readUInt8(at + 1);
    if (hasNoContent(marker)) {
      at += 2;
      yield { marker, content: Buffer.alloc(0), start, end: at };
      if (marker === jpeg.end) {
        return;
      }
    } else {
      const length = image.readUInt16BE(at + 2);
      const end = at + 2 + length;
      if (length < 2 || end > image.byteLength) {
        throw damagedImage();
      }
      at = marker === jpeg.startOfScan ? endOfScan(image, end) : end;
      yield { marker, content: image.subarray(start + 4, end), start, end: at };
    }
  }
}

function hasNoContent(marker: number): boolean {
  return marker === jpeg.private || (marker >= 0xd0 && marker <= jpeg.end);
}

/** Inside a scan, FF is followed by 00 or by a restart marker. */
function endOfScan(image: Buffer, start: number): number {
  for (let at = image.indexOf(0xff, start); at >= 0; at = image.indexOf(0xff, at + 1)) {
    const next = image[at + 1] ?? 0;
    const isPartOfScan = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isPartOfScan) {
      return at;
    }
  }

  return image.byteLength;
}
