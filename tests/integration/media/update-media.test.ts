import { expect, it } from 'vitest';
import { updateMedia } from '#schemas/media.ts';
import { png } from '#tests/support/media-files.ts';
import { mediaSetup } from './setup.ts';

it('updateMedia changes file name and alternative text, and null removes the text', async () => {
  const { add, ask } = await mediaSetup();
  const { id, url: _url, ...before } = await add(png());
  const update = async (body: object) =>
    (await ask(updateMedia, { params: { media_id: id }, body })).body.media;

  expect(await update({ fileName: 'red.png', altText: 'A red engine' })).toMatchObject({
    ...before,
    fileName: 'red.png',
    altText: 'A red engine',
    url: expect.any(String),
  });
  expect(await update({ altText: null })).toMatchObject({ fileName: 'red.png', altText: null });
  expect(await update({})).toMatchObject({ fileName: 'red.png', altText: null });
});

it('updateMedia accepts alternative texts of 1 to 1,500 characters', async () => {
  const { start, ask } = await mediaSetup();
  const { media } = await start(5);
  const statuses = [];
  for (const altText of ['', ' ', 'a', 'a'.repeat(1_500), 'a'.repeat(1_501)]) {
    const answer = await ask(updateMedia, { params: { media_id: media.id }, body: { altText } });
    statuses.push(answer.status);
  }

  expect(statuses).toEqual([400, 400, 200, 200, 400]);
});
