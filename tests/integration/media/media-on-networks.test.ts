import { createHash, randomInt } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startPublishing } from '#lib/features/content/publishing/start-publishing.ts';
import type { Media } from '#lib/features/media/media.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { createContentPost } from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import { connectedAccount } from '#tests/support/content.ts';
import { sandbox } from '#tests/support/mails.ts';
import { storeMedia } from '#tests/support/media.ts';
import { jpeg, mp4 } from '#tests/support/media-files.ts';
import { drainWork } from '#tests/support/work.ts';
import { mediaWorld } from './media-world.ts';

beforeEach(() => {
  // Networks and the service fetch media from the local storage, as in the local stack.
  const origins = `${process.env.STRIPE_API_BASE},${process.env.S3_ENDPOINT}`;
  vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', origins);
});
afterEach(() => {
  vi.unstubAllEnvs();
  setClock();
});

const altText = 'A red engine';
const image = jpeg({ width: 300, height: 200 });
const video = mp4({ videoBytes: 50_000 });
const facts = {
  image: { altText },
  video: { kind: 'VIDEO', contentType: 'video/mp4', durationSeconds: 2.5, altText },
} as const satisfies Record<string, Partial<Media>>;

async function publish(platform: Platform, kinds: ReadonlyArray<'image' | 'video'>, film = video) {
  const world = await mediaWorld();
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
  // A network may take longer than the request to process a video.
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
] as const)(
  '%s receives the bytes of an %s and its alternative text',
  async (...row) => {
    const [platform, kind, contentType, text] = row;
    const { post } = await publish(platform, [kind]);
    const content = kind === 'image' ? image : video;

    expect(post?.mediaDetails).toMatchObject([received(content, contentType, text)]);
  },
  30_000,
);

it.each(['FACEBOOK', 'INSTAGRAM', 'TWITTER', 'LINKEDIN'] as const)(
  '%s receives several images in order',
  async (platform) => {
    const { post } = await publish(platform, ['image', 'image']);
    const one = received(image, 'image/jpeg', altText);

    expect(post?.mediaDetails).toMatchObject([one, one]);
  },
  30_000,
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
}, 60_000);

it('stores no presigned address with a post', async () => {
  const { contentPost } = await publish('FACEBOOK', ['image']);

  expect(contentPost.mediaUrls).toEqual([]);
  expect(JSON.stringify(contentPost)).not.toContain('X-Amz-Signature');
});
