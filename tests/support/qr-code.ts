import jsqr from 'jsqr';

const scale = 4;

/** Returns the text of a QR code that the service generated, without a browser. */
export function readQrCode(svg: string): string | undefined {
  const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const start = row * side + Number(x) * scale;
      for (let pixel = start; pixel < start + Number(width) * scale; pixel += 1) {
        pixels.set([0, 0, 0], pixel * 4);
      }
    }
  }

  return jsqr.default(pixels, side, side)?.data;
}
