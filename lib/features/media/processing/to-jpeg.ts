import { init as initPng, decode as readPng } from '@jsquash/png/decode.js';
import readWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { encode } from 'jpeg-js';
import { readProjectFile } from '#lib/platform/project-file.ts';
import { imageCodecs } from '#schemas/media-limits.ts';
import { InvalidMediaError } from './invalid-media-error.ts';

/** The maximum width at which Instagram shows an image. It reduces larger ones. */
const shownWidth = 1_440;
/** The largest file that Instagram accepts. */
const maxJpegBytes = 8_000_000;
const qualities = [90, 80, 65, 50] as const;

type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array };

export type ConvertibleType = 'image/png' | 'image/webp';

/**
 * Converts an image to a JPEG that Instagram accepts: rotated for display, with white instead of
 * transparency, at most twice as wide as it is shown, and without metadata.
 *
 * @throws InvalidMediaError for an image that cannot be decoded, such as an animation.
 */
export async function toJpeg(
  type: ConvertibleType,
  image: Uint8Array,
  orientation: number,
): Promise<Uint8Array> {
  const pixels = turned(shrunkOnWhite(await decode(type, image)), orientation);
  for (const quality of qualities) {
    const { data } = encode(pixels, quality);
    if (data.length <= maxJpegBytes) {
      return data;
    }
  }
  throw new InvalidMediaError('The JPEG is too large');
}

async function decode(type: ConvertibleType, image: Uint8Array): Promise<Pixels> {
  provideImageData();
  const content = new Uint8Array(image).buffer;
  try {
    const { width, height, data } = await (type === 'image/png'
      ? decodePng(content)
      : decodeWebp(content));

    return { width, height, data: new Uint8Array(data.buffer) };
  } catch (cause) {
    throw new InvalidMediaError('The image cannot be decoded', { cause });
  }
}

async function decodePng(content: ArrayBuffer): Promise<ImageData> {
  await initPng(new Uint8Array(readProjectFile(imageCodecs.png)));

  return readPng(content);
}

async function decodeWebp(content: ArrayBuffer): Promise<ImageData> {
  const module = new WebAssembly.Module(new Uint8Array(readProjectFile(imageCodecs.webp)));
  await initWebp({
    instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ) => {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);

      return instance.exports;
    },
  });

  return readWebp(content);
}

/** The decoders create an object that exists only in browsers. */
function provideImageData(): void {
  globalThis.ImageData ??= class {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;

    constructor(data: Uint8ClampedArray, width: number, height: number) {
      this.data = data;
      this.width = width;
      this.height = height;
    }
  } as never;
}

/**
 * Each pixel of the result is the mean of a square of pixels, because the result needs fewer
 * pixels.
 */
function shrunkOnWhite({ width, height, data }: Pixels): Pixels {
  const side = Math.max(1, Math.floor(width / shownWidth));
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  const result = new Uint8Array(columns * rows * 4);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [right, bottom] = [
        Math.min((column + 1) * side, width),
        Math.min((row + 1) * side, height),
      ];
      let [red, green, blue, count] = [0, 0, 0, 0];
      for (let y = row * side; y < bottom; y += 1) {
        for (let x = column * side; x < right; x += 1) {
          const at = (y * width + x) * 4;
          const alpha = data[at + 3] ?? 0;
          const white = 255 * (255 - alpha);
          red += (data[at] ?? 0) * alpha + white;
          green += (data[at + 1] ?? 0) * alpha + white;
          blue += (data[at + 2] ?? 0) * alpha + white;
          count += 255;
        }
      }
      result.set([red / count, green / count, blue / count, 255], (row * columns + column) * 4);
    }
  }

  return { width: columns, height: rows, data: result };
}

/** For each EXIF orientation, whether rows become columns, and which axes are mirrored. */
const turns: Readonly<Record<number, { swaps?: true; mirrorsX?: true; mirrorsY?: true }>> = {
  2: { mirrorsX: true },
  3: { mirrorsX: true, mirrorsY: true },
  4: { mirrorsY: true },
  5: { swaps: true },
  6: { swaps: true, mirrorsY: true },
  7: { swaps: true, mirrorsX: true, mirrorsY: true },
  8: { swaps: true, mirrorsX: true },
};

/** Returns the pixels in display orientation. */
function turned(pixels: Pixels, orientation: number): Pixels {
  const turn = turns[orientation];
  if (!turn) {
    return pixels;
  }
  const { width, height } = pixels;
  const from = new Uint32Array(pixels.data.buffer);
  const [columns, rows] = turn.swaps ? [height, width] : [width, height];
  const to = new Uint32Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = turn.swaps ? [row, column] : [column, row];
      const sourceX = turn.mirrorsX ? width - 1 - x : x;
      const sourceY = turn.mirrorsY ? height - 1 - y : y;
      to[row * columns + column] = from[sourceY * width + sourceX] ?? 0;
    }
  }

  return { width: columns, height: rows, data: new Uint8Array(to.buffer) };
}
