import { expect, it } from 'vitest';
import { deleteMedia, getMedia, listMedia } from '#schemas/media.ts';
import { png } from '#tests/support/media-files.ts';
import { drainWork } from '#tests/support/work.ts';
import { mediaSetup } from './setup.ts';

it('deleteMedia deletes a media file, its stored files and its share of the quota', async () => {
  const { add, ask, storedKeys } = await mediaSetup();
  const { id } = await add(png());
  const params = { media_id: id };
  expect((await ask(deleteMedia, { params })).status).toBe(200);
  await drainWork('media-processing');

  expect((await ask(getMedia, { params })).status).toBe(404);
  expect((await ask(deleteMedia, { params })).status).toBe(404);
  expect(await storedKeys()).toEqual([]);
  expect((await ask(listMedia)).body).toMatchObject({
    mediaItems: [],
    usage: { bytes: 0, files: 0 },
    pagination: { total: 0 },
  });
});

it('deleteMedia deletes a media file while it is processed', async () => {
  const { complete, ask, storedKeys } = await mediaSetup();
  const { id } = await complete(png());
  expect((await ask(deleteMedia, { params: { media_id: id } })).status).toBe(200);
  await drainWork('media-processing');

  expect(await storedKeys()).toEqual([]);
});
