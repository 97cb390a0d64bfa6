import { expect, it } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { getMedia } from '#schemas/media.ts';
import { png } from '#tests/support/media-files.ts';
import { download, mediaWorld } from './media-world.ts';

it('returns a medium with a link that is valid for an hour', async () => {
  const { add } = await mediaWorld();
  const media = await add(png());

  expect(await download(media.url)).toEqual(png());
  expect(new URL(media.url).searchParams.get('X-Amz-Expires')).toBe('3600');
});

it("returns 404 for an unknown medium and another organization's", async () => {
  const [one, other] = await Promise.all([mediaWorld(), mediaWorld()]);
  const { media } = await one.start(5);
  for (const media_id of [newId(), media.id]) {
    expect((await other.ask(getMedia, { params: { media_id } })).body).toMatchObject({
      statusCode: 404,
      message: "Media not found or you don't have access",
    });
  }
});
