import { expect, it } from 'vitest';
import { png } from '#tests/support/media-files.ts';
import { download, mediaSetup } from './setup.ts';

it('getMedia returns a media file with a link that is valid for an hour', async () => {
  const { add } = await mediaSetup();
  const media = await add(png());

  expect(await download(media.url)).toEqual(png());
  expect(new URL(media.url).searchParams.get('X-Amz-Expires')).toBe('3600');
});
