import jsqr from 'jsqr';
import { describe, expect, test } from 'vitest';
import { getBioLinkQrCode } from '#schemas/bio.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { newLink } from './setup.ts';

const browser = await useBrowser();

describe('the QR code of a link', () => {
  test('opens its short URL in a camera app', async () => {
    const owner = await newAccount();
    const link = await newLink(owner);
    const params = { organization_id: owner.organizationId, link_id: link.id };
    const { status, headers, body } = await call(getBioLinkQrCode, { params, token: owner.token });
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);

    const page = await browser.newPage({ viewport: { width: 300, height: 300 } });
    await page.setContent('<canvas width="300" height="300"></canvas>');
    const pixels = await page.evaluate<readonly number[]>(drawScript(body));
    await page.close();
    expect(jsqr.default(new Uint8ClampedArray(pixels), 300, 300)?.data).toBe(link.shortUrl);
  });
});

/** Runs in the page: draws the image to a canvas and returns its pixels. */
function drawScript(svg: string): string {
  return `(async () => {
  const image = new Image();
  image.src = 'data:image/svg+xml,' + encodeURIComponent(${JSON.stringify(svg)});
  await image.decode();
  const context = document.querySelector('canvas').getContext('2d');
  context.drawImage(image, 0, 0, 300, 300);
  return [...context.getImageData(0, 0, 300, 300).data];
})()`;
}
