import { describe, expect, test } from 'vitest';
import type { Credentials, Publication } from '#lib/vendors/networks/network.ts';
import type { Platform } from '#schemas/platforms.ts';
import { networkOf } from '#tests/support/networks.ts';
import { mediaAt } from './local-servers.ts';
import { connect, failureOf, pass, sandbox, useSandbox } from './setup.ts';

useSandbox();

const image = 'https://example.com/engine.jpg';
const video = () => mediaAt('video/mp4', Buffer.alloc(2_000, 7));
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

async function prepared(platform: Platform, credentials: Credentials, publication: Publication) {
  const network = networkOf(platform);
  let progress = await network.prepare(credentials, publication);
  for (let step = 0; progress.state === 'pending' && step < 9; step += 1) {
    progress = await network.prepare(credentials, publication, progress.handle);
  }

  return progress.handle;
}

/** Returns the POST requests in order: the last part of the path, the body and the headers. */
async function requestsOf(platform: Platform) {
  const requests = await sandbox.requests({ service: platform.toLowerCase() });
  const posts = requests.filter(({ method }) => method === 'POST');

  return posts.map(({ path, body, headers }) => ({
    edge: path.split('?')[0]?.split('/').at(-1) ?? '',
    body: String(body ?? ''),
    headers,
  }));
}

describe('a Facebook reel', () => {
  test('has the phases start, upload by file_url, and finish', async () => {
    const credentials = await connect('FACEBOOK', 'page-1');
    const publication = {
      text: 'A film',
      mediaUrls: [await video()],
      settings: { postType: 'REEL' },
    } as const;
    const handle = await prepared('FACEBOOK', credentials, publication);
    const outcome = await networkOf('FACEBOOK').commit(credentials, publication, handle);
    const [start, upload, finish] = await requestsOf('FACEBOOK');

    expect([start?.edge, start?.body]).toEqual(['video_reels', 'upload_phase=start']);
    expect(upload?.edge).toBe(handle.videoId);
    expect(upload?.headers?.file_url).toBe(publication.mediaUrls[0]);
    expect(Object.fromEntries(new URLSearchParams(finish?.body))).toEqual({
      upload_phase: 'finish',
      video_id: handle.videoId,
      video_state: 'PUBLISHED',
      description: 'A film',
    });
    expect(outcome).toMatchObject({ state: 'processing', handle: { videoId: handle.videoId } });
  });

  test('that was not finished is absent, and a finished one cannot be finished again', async () => {
    const network = networkOf('FACEBOOK');
    const credentials = await connect('FACEBOOK', 'page-1');
    const publication = {
      text: 'A film',
      mediaUrls: [await video()],
      settings: { postType: 'REEL' },
    } as const;
    const handle = await prepared('FACEBOOK', credentials, publication);
    const probe = () => network.probe(credentials, publication, handle, ago(60));

    expect(await probe()).toMatchObject({ state: 'absent' });
    await network.commit(credentials, publication, handle);
    expect(await probe()).toMatchObject({ state: 'processing' });
    expect(await probe()).toMatchObject({
      state: 'published',
      platformPostId: expect.stringMatching(/^page-1_\d+$/),
      url: expect.stringContaining('/reel/'),
    });
    expect(await failureOf(network.commit(credentials, publication, handle))).toMatchObject({
      kind: 'refused',
    });
    expect(await sandbox.network('FACEBOOK').posts('page-1')).toHaveLength(1);
  });
});

describe('a story', () => {
  const story = { text: 'Not shown', mediaUrls: [image], settings: { postType: 'STORY' } } as const;

  test('on Facebook is found by its photo among the stories of a day, otherwise its outcome is unknown', async () => {
    const network = networkOf('FACEBOOK');
    const credentials = await connect('FACEBOOK', 'page-1');
    const handle = await prepared('FACEBOOK', credentials, story);
    const probe = () => network.probe(credentials, story, handle, ago(60));
    const before = await probe();
    const outcome = await network.commit(credentials, story, handle);
    const [shown] = await sandbox.network('FACEBOOK').posts('page-1');

    expect(before).toEqual({ state: 'unknown' });
    expect(outcome).toMatchObject({ state: 'published', platformPostId: shown?.id });
    expect(await probe()).toMatchObject({ state: 'published', platformPostId: shown?.id });
    expect(await network.listRecentPosts(credentials)).toEqual([]);
    pass(25 * 3_600_000);
    expect(await probe()).toEqual({ state: 'unknown' });
  });

  test('on Instagram is found among the stories, and not among the posts', async () => {
    const network = networkOf('INSTAGRAM');
    const credentials = await connect('INSTAGRAM', '1789');
    const post = { text: 'A post', mediaUrls: [image] };
    await network.commit(credentials, post, await prepared('INSTAGRAM', credentials, post));
    const handle = await prepared('INSTAGRAM', credentials, story);
    const { body = '' } = (await requestsOf('INSTAGRAM')).at(-1) ?? {};
    await network.commit(credentials, story, handle);
    const [shown] = await sandbox.network('INSTAGRAM').posts('1789');

    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      media_type: 'STORIES',
      image_url: image,
    });
    expect(await network.probe(credentials, story, handle, ago(60))).toMatchObject({
      state: 'published',
      platformPostId: shown?.id,
    });
    expect(await network.listRecentPosts(credentials)).toHaveLength(1);
  });
});

describe('other settings', () => {
  test('a quote on X is found although X appends the address of the quoted post', async () => {
    const network = networkOf('TWITTER');
    const credentials = await connect('TWITTER', '2244');
    const quote = { text: 'Look at this', mediaUrls: [], settings: { quotePostId: '1789' } };
    const { handle } = await network.prepare(credentials, quote);
    await network.commit(credentials, quote, handle);

    expect(await network.probe(credentials, quote, handle, ago(60))).toMatchObject({
      state: 'published',
    });
    expect(
      await failureOf(network.prepare(credentials, { ...quote, mediaUrls: [image] })),
    ).toMatchObject({ kind: 'refused' });
  });

  test('TikTok receives no settings that it would reject', async () => {
    const network = networkOf('TIKTOK');
    const credentials = await connect('TIKTOK', 'open-1');
    const film = { text: 'A film', mediaUrls: [await video()] };
    const prepare = (settings: Publication['settings']) =>
      network.prepare(credentials, { ...film, ...(settings ? { settings } : {}) });

    expect(await failureOf(prepare({ privacyLevel: 'FOLLOWER_OF_CREATOR' }))).toMatchObject({
      kind: 'refused',
    });
    expect(
      await failureOf(prepare({ brandContent: true, privacyLevel: 'SELF_ONLY' })),
    ).toMatchObject({ kind: 'refused' });
    expect((await prepare({ allowComments: true })).handle).toMatchObject({
      privacyLevel: 'PUBLIC_TO_EVERYONE',
      isCommentDisabled: false,
      isStitchDisabled: true,
    });
  });

  test('a private YouTube video is published if that was requested, else it is locked', async () => {
    const network = networkOf('YOUTUBE');
    const credentials = await connect('YOUTUBE', 'UC1');
    await sandbox.network('YOUTUBE').setSettings({ isAudited: false });
    const mediaUrls = [await video()];
    const outcomeOf = async (settings: Publication['settings']) => {
      const publication = { text: 'A film', mediaUrls, ...(settings ? { settings } : {}) };
      const { handle } = await network.prepare(credentials, publication);
      const outcome = await network.commit(credentials, publication, handle);

      return outcome.state === 'processing'
        ? network.probe(credentials, publication, outcome.handle, ago(60))
        : outcome;
    };

    expect(await outcomeOf({ privacyStatus: 'private' })).toMatchObject({ state: 'published' });
    expect(await outcomeOf({ privacyStatus: 'unlisted' })).toMatchObject({
      state: 'lockedPrivate',
    });
    expect(await outcomeOf(undefined)).toMatchObject({ state: 'lockedPrivate' });
  });
});
