import { expect, it } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { createMediaFromUrl, createMediaUpload } from '#schemas/media.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import { putFile } from '#scripts/fixtures/sandbox.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';
import { download, mediaSetup } from './setup.ts';

async function copied(world: Awaited<ReturnType<typeof mediaSetup>>, url: string) {
  const { body } = await world.ask(createMediaFromUrl, { body: { url } });
  await drainWork('media-processing');

  return world.find(body.media.id);
}

it('createMediaFromUrl copies a file from its server', async () => {
  const world = await mediaSetup();
  const url = await putFile('engine%20room.bin', jpeg(), 'text/plain');
  const { status, body } = await world.ask(createMediaFromUrl, {
    body: { url, altText: 'A red engine' },
  });
  expect(status).toBe(201);
  expect(body.media).toMatchObject({
    status: 'PROCESSING',
    kind: null,
    bytes: null,
    contentType: null,
    fileName: 'engine room.bin',
    altText: 'A red engine',
  });
  await drainWork('media-processing');
  const media = await world.find(body.media.id);

  expect(media).toMatchObject({
    status: 'READY',
    kind: 'IMAGE',
    contentType: 'image/jpeg',
    bytes: jpeg().length,
    altText: 'A red engine',
  });
  expect(await download(media.url)).toEqual(jpeg());
});

it.each(['http://example.com/a.jpg', 'https://127.0.0.1/a.jpg', 'https://localhost/a'])(
  'createMediaFromUrl returns 400 for %s',
  async (url) => {
    const { ask } = await mediaSetup();

    expect((await ask(createMediaFromUrl, { body: { url } })).body.message).toEqual([
      expect.stringMatching(/^url must/),
    ]);
  },
);

it('createMediaFromUrl rejects a file that is missing, and a redirect', async () => {
  const world = await mediaSetup();
  const base = await putFile('a', jpeg(), 'image/jpeg');
  expect(await copied(world, `${base}-missing`)).toMatchObject({
    status: 'REJECTED',
    failureReason: 'The server of the file answered 404',
  });
  await sandbox.addFault({
    service: 'files',
    mode: 'error',
    status: 302,
    headers: { location: base },
    times: 1,
  });

  expect(await copied(world, base)).toMatchObject({
    status: 'REJECTED',
    failureReason: 'The server of the file answered 302',
  });
});

it('createMediaFromUrl rejects a file that exceeds the quota', async () => {
  const world = await mediaSetup();
  const bytes = 1_000_000_000 - jpeg().length + 1;
  const body = { fileName: 'a', contentType: 'video/mp4', bytes };
  expect((await world.ask(createMediaUpload, { body })).status).toBe(201);

  expect(await copied(world, await putFile('b', jpeg(), 'image/jpeg'))).toMatchObject({
    status: 'REJECTED',
    failureReason: 'The media library has no room for this file',
  });
  expect(await world.storedKeys()).toEqual([]);
});

it('createMediaFromUrl retries a server that is unavailable, and gives up after three attempts', async () => {
  const world = await mediaSetup();
  const url = await putFile('c', jpeg(), 'image/jpeg');
  const { id: faultId } = await sandbox.addFault({ service: 'files', mode: 'down' });
  const media = await copied(world, url);
  expect(media.status).toBe('PROCESSING');
  for (const minutes of [2, 4]) {
    setClock(() => Date.now() + minutes * minuteMs);
    await runDueWork();
  }
  setClock();
  await sandbox.endFault(faultId);

  expect(await world.find(media.id)).toMatchObject({
    status: 'REJECTED',
    failureReason: 'The server of the file answered 503',
  });
});
