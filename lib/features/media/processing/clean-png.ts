import { crc32, inflateSync } from 'node:zlib';
import { type CleanImage, Compacted, Exif } from './clean-image.ts';
import { damagedImage } from './invalid-media-error.ts';
import { blankPositionInXmp, mentionsPosition } from './position-in-xmp.ts';

const pngSignatureBytes = 8;
/** Text that is larger than this after decompression is dropped. */
const maxTextBytes = 10_000_000;

export function cleanPng(image: Buffer): CleanImage {
  const texts = new PngTexts();
  const exif = new Exif();
  const compacted = new Compacted(image);
  compacted.keep(0, pngSignatureBytes);
  for (let at = pngSignatureBytes; ; ) {
    const end = at + 12 + image.readUInt32BE(at);
    if (end > image.byteLength) {
      throw damagedImage();
    }
    const chunk = image.subarray(at, end);
    const type = chunk.toString('latin1', 4, 8);
    const data = chunk.subarray(8, -4);
    if (type === 'eXIf' ? exif.clean(data) : texts.keep(type, data)) {
      chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.byteLength - 4);
      compacted.keep(at, end);
    }
    if (type === 'IEND') {
      return { image: compacted.result(), orientation: exif.orientation };
    }
    at = end;
  }
}

class PngTexts {
  private hasCompressed = false;

  /** Returns false if a chunk must be removed. */
  keep(type: string, data: Buffer): boolean {
    if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') {
      return true;
    }
    const text = textIn(type, data);
    const head = data.toString('latin1', 0, text?.start);
    // Old programs store EXIF and XMP as hexadecimal text.
    if (!text || /^raw profile type (exif|app1|xmp)/i.test(head) || mentionsPosition(head)) {
      return false;
    }
    const content = data.subarray(text.start);
    if (!text.isCompressed) {
      return blankPositionInXmp(content);
    }
    // Decompressing many small texts would take too long.
    const isFirst = !this.hasCompressed;
    this.hasCompressed = true;

    return isFirst && isWithoutPosition(content);
  }
}

type Text = { readonly start: number; readonly isCompressed: boolean };

/** Finds the text after the keyword. Returns undefined for a malformed chunk. */
function textIn(type: 'tEXt' | 'zTXt' | 'iTXt', data: Buffer): Text | undefined {
  const keywordEnd = data.indexOf(0);
  if (keywordEnd < 0 || type === 'tEXt') {
    return keywordEnd < 0 ? undefined : { start: keywordEnd + 1, isCompressed: false };
  }
  if (type === 'zTXt') {
    return { start: keywordEnd + 2, isCompressed: true };
  }
  // The text follows a flag, the compression method, a language and a translated keyword.
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  const translationEnd = data.indexOf(0, languageEnd + 1);

  return languageEnd < 0 || translationEnd < 0
    ? undefined
    : { start: translationEnd + 1, isCompressed: data[keywordEnd + 1] !== 0 };
}

function isWithoutPosition(compressed: Buffer): boolean {
  try {
    const text = inflateSync(compressed, { maxOutputLength: maxTextBytes });

    return !mentionsPosition(text.toString('latin1'));
  } catch {
    return false;
  }
}
