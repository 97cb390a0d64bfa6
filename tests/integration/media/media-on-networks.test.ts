import { createHash, randomInt } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import { startPublishing } from '#lib/features/content/publishing/start-publishing.ts';
import type { Media } from '#lib/features/media/media.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { createContentPost } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import { jpeg } from '#scripts/fixtures/jpeg.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { exif, mp4, png, pngChunk, redWebp } from '#tests/support/media-files.ts';
import { drainWork } from '#tests/support/work.ts';
import { mediaSetup } from './setup.ts';

beforeEach(() => {
  // Networks and the service fetch media from the local storage, as in the local stack.
  const origins = `${process.env.STRIPE_API_BASE},${process.env.S3_ENDPOINT}`;
  vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', origins);
});

const altText = 'A red engine';
const image = jpeg({ width: 300, height: 200 });
const video = mp4({ videoBytes: 50_000 });
const facts = {
  image: { altText },
  video: { kind: 'VIDEO', contentType: 'video/mp4', durationSeconds: 2.5, altText },
} as const satisfies Record<string, Partial<Media>>;

async function publish(platform: Platform, kinds: ReadonlyArray<'image' | 'video'>, film = video) {
  const world = await mediaSetup();
  const account = await connectedAccount(world.organizationId, {
    platform,
    platformUserId: `${Date.now()}${randomInt(1_000, 10_000)}`,
  });
  const mediaIds = [];
  for (const kind of kinds) {
    const content = kind === 'image' ? image : film;
    mediaIds.push((await storeMedia(world.organizationId, facts[kind], content)).id);
  }
  const { status, body } = await world.ask(createContentPost, {
    body: { socialAccountId: account.id, platform, content: 'New engines', mediaIds },
  });
  expect([status, body.message]).toEqual([201, expect.any(String)]);
  // A network may need longer than the request to process a video.
  for (const minutes of [1, 2]) {
    setClock(() => Date.now() + minutes * minuteMs);
    await startPublishing();
    await drainWork('content-publishing');
  }
  const [post] = await sandbox.network(platform).posts(account.platformUserId);

  return { post, contentPost: body.contentPost };
}

function received(content: Buffer, contentType: string, text: string | null) {
  return {
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: content.length,
    contentType,
    altText: text,
  };
}

it.each([
  ['FACEBOOK', 'image', 'image/jpeg', altText],
  ['FACEBOOK', 'video', 'video/mp4', null],
  ['INSTAGRAM', 'image', 'image/jpeg', altText],
  ['INSTAGRAM', 'video', 'video/mp4', null],
  ['TWITTER', 'image', 'image/jpeg', altText],
  ['TWITTER', 'video', 'video/mp4', null],
  ['LINKEDIN', 'image', 'image/jpeg', altText],
  ['LINKEDIN', 'video', 'application/octet-stream', null],
  ['YOUTUBE', 'video', 'video/mp4', null],
  ['TIKTOK', 'image', 'image/jpeg', null],
  ['TIKTOK', 'video', 'video/mp4', null],
] as const)('%s receives the bytes of an %s and its alternative text', async (...row) => {
  const [platform, kind, contentType, text] = row;
  const { post } = await publish(platform, [kind]);
  const content = kind === 'image' ? image : video;

  expect(post?.mediaDetails).toMatchObject([received(content, contentType, text)]);
});

it.each(['FACEBOOK', 'INSTAGRAM', 'TWITTER', 'LINKEDIN'] as const)(
  '%s receives several images in order',
  async (platform) => {
    const { post } = await publish(platform, ['image', 'image']);
    const one = received(image, 'image/jpeg', altText);

    expect(post?.mediaDetails).toMatchObject([one, one]);
  },
);

it.each([
  ['PNG', png([pngChunk('eXIf', exif())])],
  ['WebP', redWebp],
])(
  'INSTAGRAM receives a %s from the library as JPEG, and other networks the original',
  async (_, content) => {
    const world = await mediaSetup();
    const medium = await world.add(content);
    const sent = async (platform: Platform, more: object = {}) => {
      const account = await connectedAccount(world.organizationId, {
        platform,
        platformUserId: `${Date.now()}${randomInt(1_000, 10_000)}`,
      });
      const { status, body } = await world.ask(createContentPost, {
        body: {
          socialAccountId: account.id,
          platform,
          content: 'New',
          mediaIds: [medium.id],
          ...more,
        },
      });
      expect([status, body.message]).toEqual([201, expect.any(String)]);
      setClock(() => Date.now() + minuteMs);
      await startPublishing();
      await drainWork('content-publishing');
      const [post] = await sandbox.network(platform).posts(account.platformUserId);

      return post?.mediaDetails;
    };

    expect(await sent('FACEBOOK')).toMatchObject([{ contentType: medium.contentType }]);
    expect(await sent('INSTAGRAM')).toMatchObject([{ contentType: 'image/jpeg' }]);
    expect(await sent('INSTAGRAM', { settings: { postType: 'STORY' } })).toMatchObject([
      { contentType: 'image/jpeg' },
    ]);
  },
  60_000,
);

it('TIKTOK receives a large video in chunks', async () => {
  const film = mp4({ videoBytes: 25_000_123 });
  const { post } = await publish('TIKTOK', ['video'], film);
  const chunks = await sandbox.requests({ service: 'tiktok' });

  expect(post?.mediaDetails).toMatchObject([received(film, 'video/mp4', null)]);
  const ranges = chunks.map(({ headers }) => headers['content-range'] ?? '');
  expect(ranges.filter((range) => range.endsWith(`/${film.length}`)).toSorted()).toEqual([
    `bytes 0-9999999/${film.length}`,
    `bytes 10000000-${film.length - 1}/${film.length}`,
  ]);
});

it('a post is stored without presigned URLs', async () => {
  const { contentPost } = await publish('FACEBOOK', ['image']);

  expect(contentPost.mediaUrls).toEqual([]);
  expect(JSON.stringify(contentPost)).not.toContain('X-Amz-Signature');
});
