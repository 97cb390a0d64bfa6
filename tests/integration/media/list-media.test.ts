import { expect, it } from 'vitest';
import { listMedia } from '#schemas/media.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import { gif, mp4 } from '#tests/support/media-files.ts';
import { drainWork } from '#tests/support/work.ts';
import { mediaSetup } from './setup.ts';

/** Two images, a video, an upload, one that is being processed, and a rejected one. */
async function library() {
  const world = await mediaSetup();
  const contents = [jpeg(), mp4(), Buffer.from('text'), gif()];
  const added = [];
  for (const content of contents) {
    added.push(await world.complete(content));
  }
  await drainWork('media-processing');
  const uploading = (await world.start(7)).media;
  const processing = await world.complete(jpeg());
  const [image, video, rejected, animation] = added;
  const idsOf = async (query: Record<string, string>) => {
    const { body } = await world.ask(listMedia, { query });

    return { ids: body.mediaItems.map(({ id }: { id: string }) => id), ...body.pagination };
  };

  return { ...world, image, video, rejected, animation, uploading, processing, idsOf };
}

it('listMedia lists media by status and kind, newest first, with exact totals', async () => {
  const { image, video, rejected, animation, uploading, processing, idsOf } = await library();
  const expected = [
    [{}, [processing, uploading, animation, rejected, video, image]],
    [{ status: 'READY' }, [animation, video, image]],
    [{ kind: 'IMAGE' }, [animation, image]],
    [{ kind: 'VIDEO', status: 'READY' }, [video]],
    [{ kind: 'VIDEO', status: 'UPLOADING' }, []],
    [{ status: 'UPLOADING' }, [uploading]],
    [{ status: 'PROCESSING' }, [processing]],
    [{ status: 'REJECTED' }, [rejected]],
  ] as const;
  for (const [query, media] of expected) {
    expect(await idsOf(query)).toMatchObject({
      ids: media.map(({ id }) => id),
      total: media.length,
    });
  }
});

it('listMedia returns pages by number and by cursor', async () => {
  const { image, video, rejected, animation, uploading, processing, idsOf } = await library();
  expect(await idsOf({ limit: '2', page: '2' })).toMatchObject({
    ids: [animation.id, rejected.id],
    hasMore: true,
  });
  const pages = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: Record<string, string> = { limit: '2', ...(cursor ? { cursor } : {}) };
    const { ids, nextCursor }: { ids: string[]; nextCursor: string | null } = await idsOf(query);
    pages.push(ids);
    cursor = nextCursor;
  }

  expect(pages).toEqual([
    [processing.id, uploading.id],
    [animation.id, rejected.id],
    [video.id, image.id],
  ]);
});

it('listMedia counts READY media in the usage', async () => {
  const { ask } = await library();

  expect((await ask(listMedia)).body.usage).toEqual({
    bytes: jpeg().length + mp4().length + gif().length,
    limitBytes: 1_000_000_000,
    files: 3,
  });
});
