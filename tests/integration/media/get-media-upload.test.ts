import { expect, it } from 'vitest';
import { completeMediaUpload, getMediaUpload } from '#schemas/media.ts';
import { mp4 } from '#tests/support/media-files.ts';
import { drainWork } from '#tests/support/work.ts';
import { download, mediaSetup } from './setup.ts';

type Part = { readonly offset: number; readonly bytes: number; readonly url: string };

const partBytes = 16 * 1024 * 1024;

async function newUpload({ videoBytes = 100 } = {}) {
  const { start, ask, find, storedKeys } = await mediaSetup();
  const content = mp4({ videoBytes });
  const { media } = await start(content.length, {
    contentType: 'video/mp4',
    fileName: 'engine.mp4',
  });
  const onMedia = { params: { media_id: media.id } };

  return {
    content,
    storedKeys,
    find: () => find(media.id),
    missing: () => ask(getMediaUpload, onMedia),
    complete: () => ask(completeMediaUpload, { ...onMedia, body: {} }),
    send: async ({ offset, bytes, url }: Part, sent = content.subarray(offset, offset + bytes)) =>
      (await fetch(url, { method: 'PUT', body: new Uint8Array(sent) })).status,
  };
}

it('getMediaUpload continues a large file after an interruption', async () => {
  const { content, storedKeys, find, missing, complete, send } = await newUpload({
    videoBytes: 2 * partBytes,
  });
  const [first, second, third] = (await missing()).body.parts;
  expect([first, second, third].map(({ offset, bytes }) => [offset, bytes])).toEqual([
    [0, partBytes],
    [partBytes, partBytes],
    [2 * partBytes, content.length - 2 * partBytes],
  ]);
  expect([await send(third), await send(first)]).toEqual([200, 200]);
  expect((await missing()).body.parts).toMatchObject([{ offset: second.offset }]);
  expect((await complete()).body).toMatchObject({ statusCode: 409, state: 'UPLOADING' });

  expect(await send(second)).toBe(200);
  expect((await missing()).body.parts).toEqual([]);
  expect((await complete()).body.media).toMatchObject({ status: 'PROCESSING' });
  await drainWork('media-processing');
  const media = await find();
  expect(media).toMatchObject({ status: 'READY', bytes: content.length });
  expect(content.equals(await download(media.url))).toBe(true);
  expect(await storedKeys()).toHaveLength(1);
});

it('getMediaUpload requests an incomplete part again', async () => {
  const { content, missing, send } = await newUpload();
  const [first] = (await missing()).body.parts;
  await send(first, content.subarray(0, 9));

  expect((await missing()).body.parts).toHaveLength(1);
});

it('getMediaUpload returns 409 after the upload was completed', async () => {
  const { missing, complete, send } = await newUpload();
  const [only] = (await missing()).body.parts;
  await send(only);
  await complete();

  expect((await missing()).body).toMatchObject({
    statusCode: 409,
    code: 'WRONG_STATE',
    state: 'PROCESSING',
    message: 'The upload was completed already',
  });
});
