import { type CleanImage, Exif, exifHeader, startsWith } from './clean-image.ts';
import { damagedImage } from './invalid-media-error.ts';
import { blankPositionInXmp } from './position-in-xmp.ts';

const riffHeaderBytes = 12;

export function cleanWebp(image: Buffer): CleanImage {
  const size = image.readUInt32LE(4) + 8;
  if (size > image.byteLength) {
    throw damagedImage();
  }
  const exif = new Exif();
  const file = image.subarray(0, size);
  for (let at = riffHeaderBytes; at < size; ) {
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > size) {
      throw damagedImage();
    }
    const data = file.subarray(at + 8, end);
    if (!cleanWebpChunk(file.toString('latin1', at, at + 4), data, exif)) {
      data.fill(0);
      // Readers ignore chunks of unknown types.
      file.write('gone', at, 'latin1');
    }
    at = end + (length % 2);
  }

  return { image: file, orientation: exif.orientation };
}

function cleanWebpChunk(type: string, data: Buffer, exif: Exif): boolean {
  if (type === 'EXIF') {
    return exif.clean(startsWith(data, exifHeader) ? data.subarray(exifHeader.length) : data);
  }

  return type === 'XMP ' ? blankPositionInXmp(data) : true;
}
