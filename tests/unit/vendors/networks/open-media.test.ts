import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { readBody } from '#lib/platform/outbound/fetch-public.ts';
import { openMedia } from '#lib/vendors/networks/open-media.ts';
import { mediaServer } from './local-servers.ts';

const bounds = { timeoutMs: 5_000, maxBytes: 100 };

function answering(status: number, headers: Record<string, string>, body = ''): RequestListener {
  return (_request, response) => response.writeHead(status, headers).end(body);
}

test('a medium comes with its type, its size and its bytes', async () => {
  const headers = { 'content-type': 'Image/JPEG; charset=binary', 'content-length': '5' };
  const url = await mediaServer(answering(200, headers, 'bytes'));

  const media = await openMedia('TWITTER', url, bounds);

  expect(media).toMatchObject({ contentType: 'image/jpeg', bytes: 5 });
  expect((await readBody(media.body)).toString()).toBe('bytes');
});

test.each([
  ['is gone', 404, {}, 'refused'],
  ['leads elsewhere', 302, { location: 'http://127.0.0.1:1/' }, 'refused'],
  ['does not tell its size', 200, { 'transfer-encoding': 'chunked' }, 'refused'],
  ['is too large', 200, { 'content-length': '101' }, 'refused'],
  ['has a server that is down', 503, {}, 'unavailable'],
])('a medium that %s is not handed on', async (_what, status, headers, kind) => {
  const url = await mediaServer(answering(status, headers));

  await expect(openMedia('TWITTER', url, bounds)).rejects.toMatchObject({ kind });
});

test('a medium inside of the network of this service is refused, and not asked for', async () => {
  const url = 'https://169.254.169.254/latest/meta-data.jpg';

  await expect(openMedia('LINKEDIN', url, bounds)).rejects.toMatchObject({
    platform: 'LINKEDIN',
    kind: 'refused',
  });
});

test('a medium whose server does not answer is an outage', async () => {
  const url = await mediaServer(() => undefined);

  const opened = openMedia('TWITTER', url, { ...bounds, timeoutMs: 20 });

  await expect(opened).rejects.toMatchObject({ kind: 'unavailable' });
});
