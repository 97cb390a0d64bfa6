import { crc32, inflateSync } from 'node:zlib';
import { InvalidMediaError } from './invalid-media-error.ts';
import { removePositionFromExif } from './position-in-exif.ts';
import { blankPositionInXmp, mentionsPosition } from './position-in-xmp.ts';

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';

/**
 * Returns the image without position data. Everything else stays, including the orientation. Data
 * after the end of the image is dropped: it may be another image or video with its own position.
 *
 * @throws InvalidMediaError for a malformed image.
 */
export function removePositionFromImage(type: ImageType, image: Buffer): Buffer {
  const clean = {
    'image/jpeg': cleanJpeg,
    'image/png': cleanPng,
    'image/webp': cleanWebp,
  } as const;
  try {
    return type === 'image/gif' ? image : clean[type](image);
  } catch (failure) {
    if (failure instanceof RangeError) {
      throw damaged();
    }
    throw failure;
  }
}

function damaged(): InvalidMediaError {
  return new InvalidMediaError('The image is damaged');
}

const exifHeader = 'Exif\0\0';
const xmpHeader = 'http://ns.adobe.com/xap/1.0/\0';
const extendedXmpHeader = 'http://ns.adobe.com/xmp/extension/\0';
/** A GUID, the length and the offset precede the content. */
const extendedXmpBytes = extendedXmpHeader.length + 40;
/** An index of further images in the same file, which are dropped. */
const multiPictureHeader = 'MPF\0';

const jpeg = { startOfScan: 0xda, end: 0xd9, app1: 0xe1, app2: 0xe2 };

function cleanJpeg(image: Buffer): Buffer {
  const segments = [...segmentsOf(image)];
  const extended = segments.filter(({ content }) => startsWith(content, extendedXmpHeader));
  const extension = Buffer.concat(
    extended.map(({ content }) => content.subarray(extendedXmpBytes)),
  );
  const keepsExtension = !mentionsPosition(extension.toString('latin1'));

  return Buffer.concat([
    image.subarray(0, 2),
    ...segments
      .filter(({ marker, content }) => {
        if (marker === jpeg.app2) {
          return !startsWith(content, multiPictureHeader);
        }
        if (marker !== jpeg.app1) {
          return true;
        }

        return startsWith(content, extendedXmpHeader) ? keepsExtension : cleanApp1(content);
      })
      .map(({ whole }) => whole),
  ]);
}

/** Returns false if the segment has to go. */
function cleanApp1(content: Buffer): boolean {
  if (startsWith(content, exifHeader)) {
    return removePositionFromExif(content.subarray(exifHeader.length));
  }

  return startsWith(content, xmpHeader)
    ? blankPositionInXmp(content.subarray(xmpHeader.length))
    : true;
}

type Segment = { readonly marker: number; readonly content: Buffer; readonly whole: Buffer };

/** Yields the segments up to the end of the image, each scan with its compressed data. */
function* segmentsOf(image: Buffer): Generator<Segment, void, undefined> {
  let at = 2;
  while (at < image.byteLength) {
    const start = at;
    if (image[at] !== 0xff) {
      throw damaged();
    }
    while (image[at + 1] === 0xff) {
      at += 1;
    }
    const marker = image.readUInt8(at + 1);
    if (marker === jpeg.end) {
      yield { marker, content: Buffer.alloc(0), whole: image.subarray(start, at + 2) };

      return;
    }
    const length = image.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > image.byteLength) {
      throw damaged();
    }
    at = marker === jpeg.startOfScan ? endOfScan(image, end) : end;
    yield { marker, content: image.subarray(start + 4, end), whole: image.subarray(start, at) };
  }
}

/** Within a scan, FF is followed by 00 or by a restart marker. */
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

const pngSignatureBytes = 8;
const xmpKeyword = 'XML:com.adobe.xmp';
/** A packet that is larger when decompressed is dropped. */
const maxTextBytes = 10_000_000;

function cleanPng(image: Buffer): Buffer {
  const kept: Buffer[] = [image.subarray(0, pngSignatureBytes)];
  for (let at = pngSignatureBytes; ; ) {
    const end = at + 12 + image.readUInt32BE(at);
    if (end > image.byteLength) {
      throw damaged();
    }
    const chunk = image.subarray(at, end);
    const type = chunk.toString('latin1', 4, 8);
    if (cleanPngChunk(type, chunk.subarray(8, -4))) {
      chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.byteLength - 4);
      kept.push(chunk);
    }
    if (type === 'IEND') {
      return Buffer.concat(kept);
    }
    at = end;
  }
}

/** Returns false if the chunk has to go. */
function cleanPngChunk(type: string, data: Buffer): boolean {
  if (type === 'eXIf') {
    return removePositionFromExif(data);
  }
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') {
    return true;
  }
  const keywordEnd = data.indexOf(0);
  const keyword = data.toString('latin1', 0, keywordEnd < 0 ? undefined : keywordEnd);
  // Old programs store EXIF and XMP as hexadecimal text.
  if (/^raw profile type (exif|app1|xmp)/i.test(keyword) || mentionsPosition(keyword)) {
    return false;
  }

  return type === 'iTXt' && keyword === xmpKeyword ? cleanPngXmp(data, keywordEnd + 1) : true;
}

/** The text follows a flag, the compression method, a language and a translated keyword. */
function cleanPngXmp(data: Buffer, flagAt: number): boolean {
  const languageEnd = data.indexOf(0, flagAt + 2);
  const translationEnd = data.indexOf(0, languageEnd + 1);
  if (languageEnd < 0 || translationEnd < 0) {
    return false;
  }
  const text = data.subarray(translationEnd + 1);
  if (data[flagAt] === 0) {
    return blankPositionInXmp(text);
  }
  try {
    const packet = inflateSync(text, { maxOutputLength: maxTextBytes });

    return !mentionsPosition(packet.toString('latin1'));
  } catch {
    return false;
  }
}

const riffHeaderBytes = 12;

function cleanWebp(image: Buffer): Buffer {
  const size = image.readUInt32LE(4) + 8;
  if (size > image.byteLength) {
    throw damaged();
  }
  const file = image.subarray(0, size);
  for (let at = riffHeaderBytes; at < size; ) {
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > size) {
      throw damaged();
    }
    const data = file.subarray(at + 8, end);
    if (!cleanWebpChunk(file.toString('latin1', at, at + 4), data)) {
      data.fill(0);
      // Readers skip chunks of unknown types.
      file.write('gone', at, 'latin1');
    }
    at = end + (length % 2);
  }

  return file;
}

function cleanWebpChunk(type: string, data: Buffer): boolean {
  if (type === 'EXIF') {
    const hasHeader = startsWith(data, exifHeader);

    return removePositionFromExif(hasHeader ? data.subarray(exifHeader.length) : data);
  }

  return type === 'XMP ' ? blankPositionInXmp(data) : true;
}

function startsWith(content: Buffer, header: string): boolean {
  return content.toString('latin1', 0, header.length) === header;
}
