import { expect, it } from 'vitest';
import { completeMediaUpload, listMedia } from '#schemas/media.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import {
  exif,
  exifSegment,
  gif,
  mp4,
  png,
  position,
  positionUserData,
} from '#tests/support/media-files.ts';
import { drainWork } from '#tests/support/work.ts';
import { download, mediaSetup, send } from './setup.ts';

it('completeMediaUpload makes an image READY, without its position', async () => {
  const { add, storedKeys, ask, organizationId } = await mediaSetup();
  const media = await add(jpeg({ app1: [exifSegment(exif())] }));

  expect(media).toMatchObject({
    kind: 'IMAGE',
    status: 'READY',
    failureReason: null,
    contentType: 'image/jpeg',
    width: 30,
    height: 40,
    durationSeconds: null,
  });
  const stored = await download(media.url);
  expect(stored.length).toBe(media.bytes);
  expect(stored.includes(Buffer.from([0x25, 0x88]))).toBe(false);
  expect(stored.includes('Camera')).toBe(true);
  expect(await storedKeys()).toEqual([
    expect.stringMatching(new RegExp(`^media/${organizationId}/${media.id}/[\\w-]+\\.jpg$`)),
  ]);
  expect((await ask(listMedia)).body.usage).toEqual({
    bytes: media.bytes,
    limitBytes: 1_000_000_000,
    files: 1,
  });
});

it('completeMediaUpload makes a large video READY by replacing only its position', async () => {
  const { add } = await mediaSetup();
  const content = mp4({ videoBytes: 20_000_000, metadata: [positionUserData()] });
  const media = await add(content, { contentType: 'video/mp4', fileName: 'engine.mp4' });

  expect(media).toMatchObject({
    kind: 'VIDEO',
    status: 'READY',
    contentType: 'video/mp4',
    bytes: content.length,
    width: 1_280,
    height: 720,
    durationSeconds: 2.5,
  });
  const stored = await download(media.url);
  const indexAt = content.indexOf('moov');
  expect(stored.subarray(0, indexAt).equals(content.subarray(0, indexAt))).toBe(true);
  expect(stored.length).toBe(content.length);
  expect(stored.includes(position)).toBe(false);
});

it.each([
  ['a PNG that is called a video', png(), 'video/mp4', { kind: 'IMAGE', contentType: 'image/png' }],
  [
    'a video that is called an image',
    mp4(),
    'image/png',
    { kind: 'VIDEO', contentType: 'video/mp4' },
  ],
  ['a GIF', gif(), 'image/gif', { kind: 'IMAGE', contentType: 'image/gif' }],
])(
  'completeMediaUpload uses the bytes of %s instead of its announced type',
  async (_what, content, contentType, facts) => {
    const { add } = await mediaSetup();

    expect(await add(content, { contentType })).toMatchObject({ status: 'READY', ...facts });
  },
);

it('completeMediaUpload rejects an SVG, and releases its file and quota', async () => {
  const { add, storedKeys, ask } = await mediaSetup();
  const media = await add(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), {
    contentType: 'image/svg+xml',
  });

  expect(media).toMatchObject({
    status: 'REJECTED',
    kind: null,
    url: null,
    failureReason: expect.stringMatching(/^The file is not a JPEG/),
  });
  expect(await storedKeys()).toEqual([]);
  expect((await ask(listMedia)).body.usage).toMatchObject({ bytes: 0, files: 0 });
});

it('completeMediaUpload rejects a file of another length', async () => {
  const { start, find, ask } = await mediaSetup();
  const { media, upload } = await start(500);
  await send(upload, jpeg());
  await ask(completeMediaUpload, { params: { media_id: media.id }, body: {} });
  await drainWork('media-processing');

  expect(await find(media.id)).toMatchObject({
    status: 'REJECTED',
    failureReason: `The file has ${jpeg().length} bytes, and 500 were announced`,
  });
});

it('completeMediaUpload returns 409 before the upload, which can continue', async () => {
  const { start, ask } = await mediaSetup();
  const { media, upload } = await start(jpeg().length);
  const complete = () => ask(completeMediaUpload, { params: { media_id: media.id }, body: {} });
  expect((await complete()).body).toMatchObject({
    statusCode: 409,
    message: 'The file has not been uploaded yet',
  });
  await send(upload, jpeg());

  expect((await complete()).body.media).toMatchObject({ status: 'PROCESSING', kind: null });
});

it('completeMediaUpload changes nothing the second time, even if it is concurrent', async () => {
  const { start, ask, find } = await mediaSetup();
  const { media, upload } = await start(jpeg().length);
  await send(upload, jpeg());
  const complete = () => ask(completeMediaUpload, { params: { media_id: media.id }, body: {} });
  const answers = await Promise.all([complete(), complete(), complete()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await drainWork('media-processing');
  const before = await find(media.id);

  expect((await complete()).body.media).toMatchObject({ status: 'READY', bytes: before.bytes });
});

it('completeMediaUpload keeps the checked bytes if the upload is replaced afterwards', async () => {
  const { start, ask, find } = await mediaSetup();
  const { media, upload } = await start(jpeg().length);
  await send(upload, jpeg());
  await ask(completeMediaUpload, { params: { media_id: media.id }, body: {} });
  await drainWork('media-processing');
  await send(upload, Buffer.alloc(jpeg().length, 'x'));

  expect(await download((await find(media.id)).url)).toEqual(jpeg());
});
