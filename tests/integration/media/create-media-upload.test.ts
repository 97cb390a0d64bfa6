import { expect, it } from 'vitest';
import { createMediaUpload, listMedia } from '#schemas/media.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { mediaSetup } from './setup.ts';

liftRateLimits();

it('createMediaUpload returns a signed request that fixes type and length', async () => {
  const { owner, start } = await mediaSetup();
  const { media, upload } = await start(482_113, { fileName: ' engine.JPG ' });

  expect(media).toEqual({
    id: expect.any(String),
    kind: null,
    status: 'UPLOADING',
    failureReason: null,
    fileName: 'engine.JPG',
    contentType: 'image/jpeg',
    bytes: 482_113,
    width: null,
    height: null,
    durationSeconds: null,
    altText: null,
    url: null,
    createdById: owner.userId,
    createdAt: expect.any(String),
  });
  expect(upload).toMatchObject({
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg', 'content-length': '482113' },
  });
  const { searchParams } = new URL(upload.url);
  expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
  expect(searchParams.get('X-Amz-Expires')).toBe('3600');
  const validMs = Date.parse(upload.expiresAt) - Date.now();
  expect(Math.abs(validMs - 3_600_000)).toBeLessThan(60_000);
});

it('createMediaUpload accepts images up to 20 MB and videos up to 1 GB', async () => {
  const { ask } = await mediaSetup();
  const answers = [];
  for (const [contentType, bytes] of [
    ['image/png', 20_000_000],
    ['image/png', 20_000_001],
    ['video/mp4', 980_000_000],
    ['video/mp4', 1_000_000_001],
    ['application/pdf', 0],
  ] as const) {
    const body = { fileName: 'a', contentType, bytes };
    const { status, body: answer } = await ask(createMediaUpload, { body });
    answers.push(status === 201 ? 201 : answer.message[0]);
  }

  expect(answers).toEqual([
    201,
    expect.stringMatching(/^bytes must not be greater than 20000000/),
    201,
    expect.stringMatching(/^bytes must/),
    expect.stringMatching(/^bytes must/),
  ]);
});

it('createMediaUpload reports an invalid name and too large an image together', async () => {
  const { ask } = await mediaSetup();
  const body = { fileName: '', contentType: 'image/png', bytes: 21_000_000 };

  expect((await ask(createMediaUpload, { body })).body.message).toEqual([
    'fileName should not be empty',
    'bytes must not be greater than 20000000 for an image',
  ]);
});

it.each(['image', 'image/', 'a b/c', 'image/png; charset=x'])(
  'createMediaUpload returns 400 for the type %s',
  async (contentType) => {
    const { ask } = await mediaSetup();
    const body = { fileName: 'a', contentType, bytes: 1 };

    expect((await ask(createMediaUpload, { body })).body.message).toEqual([
      expect.stringMatching(/^contentType /),
    ]);
  },
);

it('createMediaUpload counts uploads in progress towards the quota, and returns 409 with the usage', async () => {
  const { ask, start } = await mediaSetup();
  await start(999_999_999, { contentType: 'video/mp4' });
  const one = { fileName: 'a', contentType: 'video/mp4', bytes: 1 };
  expect((await ask(createMediaUpload, { body: one })).status).toBe(201);

  expect((await ask(createMediaUpload, { body: one })).body).toMatchObject({
    statusCode: 409,
    message: 'The media library has no room for this file',
    code: 'QUOTA_EXCEEDED',
    quota: { name: 'mediaBytes', limit: 1_000_000_000 },
    usage: { bytes: 0, limitBytes: 1_000_000_000, files: 0 },
  });
});

it('createMediaUpload limits 50 concurrent uploads to the quota', async () => {
  const { ask } = await mediaSetup();
  const body = { fileName: 'a', contentType: 'video/mp4', bytes: 100_000_000 };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ask(createMediaUpload, { body })),
  );

  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(10);
  expect(new Set(statuses)).toEqual(new Set([201, 409]));
  expect((await ask(listMedia)).body.pagination.total).toBe(10);
});
