import { type CleanImage, Compacted } from './clean-image.ts';
import { damagedImage } from './invalid-media-error.ts';

const gif = {
  screenBytes: 13,
  extension: 0x21,
  image: 0x2c,
  imageBytes: 10,
  end: 0x3b,
};
/** How the next image is displayed. */
const control = { start: [0x21, 0xf9, 4], bytes: 8 };
/** The number of repetitions. */
const loop = { start: [0x21, 0xff, 11], bytes: 19, names: ['NETSCAPE2.0', 'ANIMEXTS1.0'] };

/** Keeps the images, their display settings, and the number of repetitions. */
export function cleanGif(file: Buffer): CleanImage {
  const compacted = new Compacted(file);
  let at = gif.screenBytes + colorTableBytes(file.readUInt8(10));
  compacted.keep(0, at);
  let hasImage = false;
  while (at < file.byteLength && file[at] !== gif.end) {
    const start = at;
    if (file[at] === gif.image) {
      const colors = colorTableBytes(file.readUInt8(at + gif.imageBytes - 1));
      at = endOfBlocks(file, at + gif.imageBytes + colors + 1);
      hasImage = true;
      compacted.keep(start, at);
    } else if (file[at] === gif.extension) {
      at = endOfBlocks(file, at + 2);
      const keptBytes = keptOfExtension(file.subarray(start, at));
      if (keptBytes > 0) {
        file[start + keptBytes - 1] = 0;
        compacted.keep(start, start + keptBytes);
      }
    } else {
      throw damagedImage();
    }
  }
  if (!hasImage) {
    throw damagedImage();
  }

  return { image: Buffer.concat([compacted.result(), Buffer.from([gif.end])]), orientation: 1 };
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** Blocks begin with their length. The last block is empty. */
function endOfBlocks(file: Buffer, start: number): number {
  let at = start;
  while (file.readUInt8(at) !== 0) {
    at += 1 + file.readUInt8(at);
  }

  return at + 1;
}

/** Other blocks of an extension are dropped. */
function keptOfExtension(extension: Buffer): number {
  const startsWith = (bytes: readonly number[]) =>
    bytes.every((byte, index) => extension[index] === byte);
  if (startsWith(control.start)) {
    return control.bytes;
  }
  const isLoop =
    startsWith(loop.start) &&
    loop.names.includes(extension.toString('latin1', 3, 14)) &&
    extension[14] === 3;

  return isLoop ? loop.bytes : 0;
}
