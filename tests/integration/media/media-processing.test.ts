import { describe, expect, it } from 'vitest';
import { handler } from '#functions/workers/media-processing.ts';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import {
  completeMediaUpload,
  createMediaFromUrl,
  deleteMedia,
  getMedia,
  listMedia,
  updateMedia,
} from '#schemas/media.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import { putFile } from '#scripts/fixtures/sandbox.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { evenly } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mp4, png, positionUserData, webp } from '#tests/support/media-files.ts';
import { withFailingStorage } from '#tests/support/stored-files.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';
import { expectConsistent } from './recount.ts';
import { download, type MediaSetup, mediaSetup, send } from './setup.ts';

function later(ms: number): void {
  setClock(() => Date.now() + ms);
}

/** The video is copied in two parts. One of them is patched. */
const video = mp4({ videoBytes: 8_500_000, metadata: [positionUserData()] });

const sources = {
  'an upload': async (world: MediaSetup) =>
    (await world.complete(video, { contentType: 'video/mp4' })).id,
  'a URL': async (world: MediaSetup) => {
    const url = await putFile('engine', jpeg(), 'image/jpeg');

    return (await world.ask(createMediaFromUrl, { body: { url } })).body.media.id;
  },
} as const;

describe.each(['an upload', 'a URL'] as const)(
  'media processing that is terminated while it processes %s',
  (source) => {
    it('finishes the next time, whichever call to the storage was the last', async () => {
      const world = await mediaSetup();
      let runs = 0;
      const processFailing = async (nth: number) => {
        runs += 1;
        const id = await sources[source](world);
        const work = await takeWork('media-processing');
        const calls = await withFailingStorage(nth, () => handler(work, lambdaContext(300_000)));
        later(runs * minuteMs);
        await handler(work, lambdaContext(300_000));
        expect((await world.find(id)).status).toBe('READY');

        return calls;
      };
      const calls = await processFailing(Number.POSITIVE_INFINITY);
      const points = Array.from({ length: calls }, (_, index) => index + 1);
      expect(points.length).toBeGreaterThan(3);
      for (const nth of evenly(points, depth(3, calls))) {
        expect(await processFailing(nth)).toBeGreaterThanOrEqual(nth);
      }
      later(2 * dayMs);
      await runDueWork();

      await expectConsistent(world);
      expect((await world.storedKeys()).filter((key) => key.startsWith('uploads/'))).toEqual([]);
    });
  },
);

it('media processing also stores an image as JPEG, and deletes both files with it', async () => {
  const world = await mediaSetup();
  const { id, bytes } = await world.add(png());
  // This one cannot be decoded.
  await world.add(webp());
  expect((await world.storedKeys()).map((key) => key.split('.').at(-1)).toSorted()).toEqual([
    'jpg',
    'png',
    'webp',
  ]);
  await expectConsistent(world);
  expect(bytes).toBe(png().length);
  await world.ask(deleteMedia, { params: { media_id: id } });
  await drainWork('media-processing');

  expect(await world.storedKeys()).toHaveLength(1);
});

it('a file is rejected after three attempts that were terminated', async () => {
  const world = await mediaSetup();
  const id = await sources['an upload'](world);
  const work = await takeWork('media-processing');
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    expect((await world.find(id)).status).toBe('PROCESSING');
    later(attempt * minuteMs);
    await withFailingStorage(1, () => handler(work, lambdaContext(300_000)));
  }

  expect(await world.find(id)).toMatchObject({
    status: 'REJECTED',
    failureReason: 'The file could not be processed',
  });
});

it('media processing finishes while the file is being changed', async () => {
  const world = await mediaSetup();
  const { id } = await world.complete(jpeg());
  const changes = Array.from({ length: 5 }, (_, index) =>
    world.ask(updateMedia, { params: { media_id: id }, body: { altText: `Engine ${index}` } }),
  );
  await Promise.all([drainWork('media-processing'), ...changes]);

  expect(await world.find(id)).toMatchObject({
    status: 'READY',
    altText: expect.stringMatching(/^Engine/),
  });
});

it('an upload that was not completed after a day is deleted with its file', async () => {
  const world = await mediaSetup();
  const { media, upload } = await world.start(jpeg().length);
  await send(upload, jpeg());
  later(dayMs - 5 * minuteMs);
  await runDueWork();
  expect((await world.find(media.id)).status).toBe('UPLOADING');
  later(dayMs + 5 * minuteMs);
  await runDueWork();

  expect(await world.storedKeys()).toEqual([]);
  await expectConsistent(world);
});

it('bytes that arrive after a file was processed or deleted are deleted', async () => {
  const world = await mediaSetup();
  const [kept, deleted] = [await world.start(jpeg().length), await world.start(jpeg().length)];
  for (const { media, upload } of [kept, deleted]) {
    await send(upload, jpeg());
    await world.ask(completeMediaUpload, { params: { media_id: media.id }, body: {} });
  }
  await drainWork('media-processing');
  await world.ask(deleteMedia, { params: { media_id: deleted.media.id } });
  await drainWork('media-processing');
  for (const { upload } of [kept, deleted]) {
    await send(upload, Buffer.alloc(jpeg().length));
  }
  expect(await world.storedKeys()).toHaveLength(3);
  later(dayMs + 5 * minuteMs);
  await runDueWork();

  await expectConsistent(world);
  expect(await world.storedKeys()).toHaveLength(1);
  setClock();
  expect(await download((await world.find(kept.media.id)).url)).toEqual(jpeg());
});

it('the media library stays consistent when media are added, rejected, deleted and completed concurrently', async () => {
  const world = await mediaSetup();
  const added = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0
        ? world.complete(Buffer.from('text'))
        : world.complete(index % 3 === 1 ? jpeg() : mp4()),
    ),
  );
  await Promise.all([
    drainWork('media-processing'),
    ...added
      .slice(0, 6)
      .flatMap(({ id }) => [
        world.ask(deleteMedia, { params: { media_id: id } }),
        world.ask(completeMediaUpload, { params: { media_id: id }, body: {} }),
      ]),
  ]);
  later(dayMs + 5 * minuteMs);
  await runDueWork();

  await expectConsistent(world);
  const { body } = await world.ask(listMedia);
  expect(body.pagination.total).toBe(6);
});

it('a deleted organization leaves no media files', async () => {
  const world = await mediaSetup();
  await world.add(jpeg());
  const { upload } = await world.start(jpeg().length);
  await send(upload, jpeg());
  const params = { organization_id: world.organizationId };
  const late = await world.start(jpeg().length);
  expect((await world.ask(deleteOrganization, { params })).status).toBe(200);
  await runDueWork();
  await send(late.upload, jpeg());
  later(61 * minuteMs);
  await runDueWork();

  expect(await world.storedKeys()).toEqual([]);
  expect((await world.ask(getMedia, { params: { media_id: late.media.id } })).status).toBe(404);
});
