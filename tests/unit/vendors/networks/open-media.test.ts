import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { readBody } from '#lib/platform/outbound/fetch-public.ts';
import { openMedia } from '#lib/vendors/networks/open-media.ts';
import { mediaServer } from './local-servers.ts';

const bounds = { timeoutMs: 5_000, maxBytes: 100 };

function answering(status: number, headers: Record<string, string>, body = ''): RequestListener {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

test('openMedia returns the content type, the size, and the body', async () => {
  const headers = { 'content-type': 'Image/JPEG; charset=binary', 'content-length': '5' };
  const url = await mediaServer(answering(200, headers, 'bytes'));

  const media = await openMedia('TWITTER', url, bounds);

  expect(media).toMatchObject({ contentType: 'image/jpeg', bytes: 5 });
  expect((await readBody(media.body)).toString()).toBe('bytes');
});

test.each([
  ['are missing', 404, {}, 'refused'],
  ['redirect', 302, { location: 'http://127.0.0.1:1/' }, 'refused'],
  ['have no content-length', 200, { 'transfer-encoding': 'chunked' }, 'refused'],
  ['are too large', 200, { 'content-length': '101' }, 'refused'],
  ['return 503', 503, {}, 'unavailable'],
])('openMedia rejects media that %s', async (_what, status, headers, kind) => {
  const url = await mediaServer(answering(status, headers));

  await expect(openMedia('TWITTER', url, bounds)).rejects.toMatchObject({ kind });
});

test('openMedia rejects a URL in a private network without a request', async () => {
  const url = 'https://169.254.169.254/latest/meta-data.jpg';

  await expect(openMedia('LINKEDIN', url, bounds)).rejects.toMatchObject({
    platform: 'LINKEDIN',
    kind: 'refused',
  });
});

test('openMedia returns unavailable when the media server does not respond', async () => {
  const url = await mediaServer(() => undefined);

  const opened = openMedia('TWITTER', url, { ...bounds, timeoutMs: 20 });

  await expect(opened).rejects.toMatchObject({ kind: 'unavailable' });
});
