import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { hourMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import {
  createContentPost,
  deleteContentPost,
  getContentPost,
  preflightContentPost,
  updateContentPost,
} from '#schemas/content.ts';
import { deleteMedia } from '#schemas/media.ts';
import type { Platform } from '#schemas/platforms.ts';
import { storeMedia } from '#scripts/fixtures/media.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { mp4 } from '#tests/support/media-files.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork } from '#tests/support/work.ts';
import { mediaAt } from '../../unit/vendors/networks/local-servers.ts';
import { bodyFor, clockOfTest, contentSetup } from './setup.ts';

const image = 'https://example.com/engine.jpg';
const later = '2035-01-15T09:30:00.000Z';
const clock = clockOfTest();

liftRateLimits();
const world = await contentSetup();

beforeEach(() => {
  // Networks and the service fetch media from the local storage.
  const origins = `${process.env.STRIPE_API_BASE},${process.env.S3_ENDPOINT}`;
  vi.stubEnv('WEBHOOK_ALLOWED_ORIGINS', origins);
});

const storedVideo = async () =>
  (
    await storeMedia(
      world.organizationId,
      { kind: 'VIDEO', contentType: 'video/mp4' },
      mp4({ videoBytes: 5_000 }),
    )
  ).id;
const video = () => mediaAt('video/mp4', Buffer.alloc(2_000, 7));

async function accountOn(platform: Platform, platformUserName?: string) {
  const platformUserId = `${Date.now()}${randomInt(1_000, 10_000)}`;
  const account = await connectedAccount(world.organizationId, { platform, platformUserId });
  await (platformUserName
    ? sandbox.network(platform).issueTokens({ userId: platformUserId, userName: platformUserName })
    : undefined);

  return account;
}

type Details = Readonly<Record<string, unknown>>;

/** Publishes a post, and returns it with the network's stored data. */
async function published(platform: Platform, details: Details, userName?: string) {
  const account = await accountOn(platform, userName);
  const created = await world.newPost({ ...bodyFor(account), ...details });
  for (let minutes = 0; minutes < 5; minutes += 1) {
    clock.aheadMs += minuteMs;
    await contentPublish();
    await drainWork('content-publishing');
  }
  const post = await world.readPost(created.id);
  const [shown, ...others] = await sandbox.network(platform).posts(account.platformUserId);
  expect(post).toMatchObject({ status: 'PUBLISHED', failureReason: null });
  expect(others).toEqual([]);

  return { account, post, shown };
}

async function rejectedOn(platform: Platform, details: Details, userName?: string) {
  const body = {
    ...bodyFor(await accountOn(platform, userName)),
    scheduledAt: later,
    ...details,
  };
  const answer = await world.ask(createContentPost, { body });

  return [answer.status, answer.body.message];
}

describe('settings at the network', () => {
  it('set the metadata, the audience and the thumbnail of a YouTube video', async () => {
    const thumbnail = await storeMedia(world.organizationId);
    const settings = {
      title: 'The film',
      privacyStatus: 'unlisted',
      madeForKids: true,
      categoryId: '27',
      tags: ['engines', 'steam power'],
      notifySubscribers: false,
      thumbnailMediaId: thumbnail.id,
    };
    const { post, shown } = await published('YOUTUBE', {
      mediaIds: [await storedVideo()],
      settings,
    });

    expect(post.settings).toEqual(settings);
    expect(shown?.settings).toEqual({
      title: 'The film',
      privacyStatus: 'unlisted',
      selfDeclaredMadeForKids: true,
      categoryId: '27',
      tags: ['engines', 'steam power'],
      notifySubscribers: false,
      thumbnail: expect.objectContaining({ contentType: 'image/jpeg', bytes: thumbnail.bytes }),
    });
  });

  it('publish a YouTube video that is private on request, in a project without an audit', async () => {
    await sandbox.network('YOUTUBE').setSettings({ isAudited: false });
    const { post } = await published('YOUTUBE', {
      mediaUrls: [await video()],
      settings: { privacyStatus: 'private' },
    });
    await sandbox.network('YOUTUBE').setSettings({ isAudited: true });

    expect(post.failureCode).toBeNull();
  });

  it('keep a YouTube video if its thumbnail is rejected', async () => {
    const thumbnail = await storeMedia(world.organizationId);
    await sandbox.addFault({ service: 'youtube', path: 'thumbnails', mode: 'error', status: 403 });
    const { shown } = await published('YOUTUBE', {
      mediaIds: [await storedVideo()],
      settings: { thumbnailMediaId: thumbnail.id },
    });

    expect(shown?.settings).not.toHaveProperty('thumbnail');
  });

  it('set the audience, interactions and labels of a TikTok video', async () => {
    const { shown } = await published('TIKTOK', {
      mediaUrls: [await video()],
      settings: {
        privacyLevel: 'MUTUAL_FOLLOW_FRIENDS',
        allowComments: false,
        allowDuet: true,
        allowStitch: true,
        brandContent: true,
        brandOrganic: false,
        isAiGenerated: true,
        coverSecond: 1.5,
      },
    });

    expect(shown?.settings).toEqual({
      privacy_level: 'MUTUAL_FOLLOW_FRIENDS',
      disable_comment: true,
      disable_duet: false,
      // The creator has disabled it.
      disable_stitch: true,
      brand_content_toggle: true,
      brand_organic_toggle: false,
      is_aigc: true,
      video_cover_timestamp_ms: 1_500,
    });
  });

  it('set no duets and stitches for TikTok photos', async () => {
    const { shown } = await published('TIKTOK', {
      mediaUrls: [image],
      settings: { privacyLevel: 'SELF_ONLY', allowComments: false, brandOrganic: true },
    });

    expect(shown?.settings).toEqual({
      privacy_level: 'SELF_ONLY',
      disable_comment: true,
      brand_organic_toggle: true,
    });
  });

  it('make an Instagram video a reel with a cover and collaborators', async () => {
    const cover = await storeMedia(world.organizationId);
    const { shown } = await published('INSTAGRAM', {
      mediaUrls: [await video()],
      settings: {
        postType: 'REEL',
        collaborators: ['charles.babbage'],
        shareToFeed: false,
        coverMediaId: cover.id,
      },
    });

    expect(shown?.settings).toEqual({
      postType: 'REEL',
      collaborators: ['charles.babbage'],
      share_to_feed: false,
      cover: expect.objectContaining({ bytes: cover.bytes }),
    });
  });

  it.each([
    ['INSTAGRAM', 'image'],
    ['INSTAGRAM', 'video'],
    ['FACEBOOK', 'image'],
    ['FACEBOOK', 'video'],
  ] as const)('publish a story on %s with one %s, without the text', async (platform, kind) => {
    const { post, shown } = await published(platform, {
      mediaUrls: [kind === 'image' ? image : await video()],
      settings: { postType: 'STORY' },
    });
    const query = { includeLiveData: 'true' };
    const params = { post_id: post.id };
    const live = await world.ask(getContentPost, { params, query });
    const deleted = await world.ask(deleteContentPost, { params });

    expect(shown).toMatchObject({ text: '', settings: { postType: 'STORY' } });
    expect(post.platformPostId).toBe(shown?.id);
    // Networks report different metrics for stories, and only for a day.
    expect(live.body.contentPost.liveMetrics).toBeNull();
    expect(deleted.body.deletedAtNetwork).toBe(platform === 'FACEBOOK');
  });

  it('publish a Facebook video as a reel', async () => {
    const { post, shown } = await published('FACEBOOK', {
      mediaUrls: [await video()],
      settings: { postType: 'REEL' },
    });

    expect(shown).toMatchObject({ text: post.content, settings: { postType: 'REEL' } });
    expect([post.platformPostId, post.url]).toEqual([shown?.id, shown?.url]);
  });

  it('set the title of a LinkedIn image', async () => {
    const { shown } = await published('LINKEDIN', {
      mediaIds: [(await storeMedia(world.organizationId)).id],
      settings: { visibility: 'PUBLIC', title: 'An engine' },
    });

    expect(shown?.settings).toEqual({ title: 'An engine' });
  });

  it('quote a post on X and choose who can reply', async () => {
    const { shown } = await published('TWITTER', {
      settings: { replySettings: 'mentionedUsers', quotePostId: '1789' },
    });
    const open = await published('TWITTER', { settings: { replySettings: 'everyone' } });

    expect(shown?.settings).toEqual({ reply_settings: 'mentionedUsers', quote_tweet_id: '1789' });
    expect(open.shown).not.toHaveProperty('settings');
  });
});

describe('settings that are rejected', () => {
  it.each([
    ['TWITTER', { title: 'x' }, 'settings.title is not allowed'],
    [
      'FACEBOOK',
      { postType: 'REELS' },
      'settings.postType must be one of the following values: FEED, REEL, STORY',
    ],
    [
      'YOUTUBE',
      { title: 'a'.repeat(101) },
      'settings.title must be shorter than or equal to 100 characters',
    ],
    ['YOUTUBE', { title: '<b>' }, 'settings.title must not contain < or >'],
    ['TWITTER', { quotePostId: 'abc' }, 'settings.quotePostId must be the id of a post on X'],
  ] as const)('by the platform of the account: %s %j', async (platform, settings, problem) => {
    const mediaUrls = platform === 'YOUTUBE' ? [await video()] : [];

    expect(await rejectedOn(platform, { mediaUrls, settings })).toEqual([400, [problem]]);
  });

  it("belong to the account's platform even if the request contains another platform", async () => {
    const settings = { replySettings: 'everyone' };
    const [status, message] = await rejectedOn('FACEBOOK', { platform: 'TWITTER', settings });

    expect(status).toBe(400);
    expect(message).toContain("platform must match the social account's platform: FACEBOOK");
    expect(message).toContain('settings.replySettings is not allowed');
  });

  it('in drafts too, if the platform does not have them', async () => {
    const settings = { title: 'x' };
    const body = { ...bodyFor(await accountOn('TWITTER')), draft: true, settings };

    expect(await world.ask(createContentPost, { body })).toMatchObject({ status: 400 });
  });

  it('for an audience that TikTok does not offer the account', async () => {
    const details = {
      mediaUrls: [await video()],
      settings: { privacyLevel: 'PUBLIC_TO_EVERYONE' },
    };
    const problem =
      'settings.privacyLevel must be one that TikTok offers this account: FOLLOWER_OF_CREATOR, MUTUAL_FOLLOW_FRIENDS, SELF_ONLY';
    const account = await accountOn('TIKTOK', 'Private Ada');
    const body = { ...bodyFor(account), ...details };
    const now = await world.ask(createContentPost, { body });
    const checked = await world.ask(preflightContentPost, { body });

    expect(await rejectedOn('TIKTOK', details, 'Private Ada')).toEqual([400, [problem]]);
    expect([now.status, now.body.message]).toEqual([400, expect.stringContaining(problem)]);
    expect(checked.body.preflight.checks).toContainEqual({
      check: 'settings',
      passed: false,
      problem,
    });
    expect(await sandbox.network('TIKTOK').posts(account.platformUserId)).toEqual([]);
  });

  it('does not fail a scheduled post while TikTok does not respond', async () => {
    const account = await accountOn('TIKTOK');
    await sandbox.addFault({ service: 'tiktok', mode: 'error', status: 503 });

    expect(
      await world.newPost({
        ...bodyFor(account),
        mediaUrls: [await video()],
        scheduledAt: later,
        settings: { privacyLevel: 'SELF_ONLY' },
      }),
    ).toMatchObject({ status: 'SCHEDULED' });
  });

  it('are reported by preflight, without other problems', async () => {
    const account = await accountOn('INSTAGRAM');
    const body = {
      ...bodyFor(account),
      mediaUrls: [image],
      settings: { postType: 'REEL' },
    };
    const { checks } = (await world.ask(preflightContentPost, { body })).body.preflight;

    expect(checks.filter(({ passed }: { passed: boolean }) => !passed)).toEqual([
      {
        check: 'settings',
        passed: false,
        problem: 'settings.postType REEL needs exactly one video',
      },
    ]);
  });
});

describe('an image that settings name', () => {
  const schedule = async (settings: Details) => {
    const account = await accountOn('YOUTUBE');
    const body = { ...bodyFor(account), mediaUrls: [await video()], scheduledAt: later, settings };

    return world.ask(createContentPost, { body });
  };

  it('must be a READY image of the organization that YouTube accepts', async () => {
    const { organizationId } = world;
    const [foreign, unready, film, gif, large] = await Promise.all([
      newAccount().then((other) => storeMedia(other.organizationId)),
      storeMedia(organizationId, { status: 'PROCESSING' }),
      storeMedia(organizationId, { kind: 'VIDEO', contentType: 'video/mp4' }),
      storeMedia(organizationId, { contentType: 'image/gif' }),
      storeMedia(organizationId, { bytes: 2_000_001 }),
    ]);
    const answers = await Promise.all(
      [foreign, unready, film, gif, large].map(({ id }) => schedule({ thumbnailMediaId: id })),
    );

    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [404, "Media not found or you don't have access"],
      [400, ['settings.thumbnailMediaId must be READY, and is PROCESSING']],
      [400, ['settings.thumbnailMediaId must be a JPEG or PNG image on YOUTUBE']],
      [400, ['settings.thumbnailMediaId must be a JPEG or PNG image on YOUTUBE']],
      [400, ['settings.thumbnailMediaId must not be greater than 2000000 bytes']],
    ]);
  });

  it('cannot be deleted while the post uses it', async () => {
    const { id } = await storeMedia(world.organizationId);
    const post = (await schedule({ thumbnailMediaId: id })).body.contentPost;
    const remove = () => world.ask(deleteMedia, { params: { media_id: id } });
    const inUse = await remove();
    const params = { post_id: post.id };
    await world.ask(updateContentPost, { params, body: { settings: null } });

    expect([inUse.status, inUse.body.postIds]).toEqual([409, [post.id]]);
    expect(await remove()).toMatchObject({ status: 200 });
  });
});

describe('changing settings', () => {
  it('replaces the settings of an unpublished post, and null clears them', async () => {
    const account = await accountOn('TWITTER');
    const settings = { replySettings: 'following', quotePostId: null };
    const post = await world.newPost({ ...bodyFor(account), scheduledAt: later, settings });
    const patch = async (body: Details) =>
      world.ask(updateContentPost, { params: { post_id: post.id }, body });
    const replaced = await patch({ settings: { quotePostId: '1789' } });
    const rejected = await patch({ settings: { postType: 'STORY' } });
    const withMedia = await patch({ mediaUrls: [image] });
    const cleared = await patch({ settings: null });

    expect(post.settings).toEqual({ replySettings: 'following' });
    expect(replaced.body.contentPost.settings).toEqual({ quotePostId: '1789' });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      ['settings.postType is not allowed'],
    ]);
    expect(withMedia.body.message).toEqual([
      'settings.quotePostId is not available for posts with media on TWITTER',
    ]);
    expect(cleared.body.contentPost.settings).toBeNull();
    expect((await world.readPost(post.id)).settings).toBeNull();
  });

  it('is rejected after the post is published', async () => {
    const { post } = await published('TWITTER', {});
    const params = { post_id: post.id };

    expect(post.settings).toBeNull();
    expect(
      await world.ask(updateContentPost, { params, body: { settings: { quotePostId: '1' } } }),
    ).toMatchObject({ status: 409 });
  });

  it('applies to the next publication', async () => {
    const account = await accountOn('TWITTER');
    const scheduledAt = timestamp(hourMs);
    const post = await world.newPost({ ...bodyFor(account), scheduledAt });
    const params = { post_id: post.id };
    await world.ask(updateContentPost, { params, body: { settings: { quotePostId: '1789' } } });
    clock.aheadMs += hourMs + minuteMs;
    await contentPublish();
    await drainWork('content-publishing');
    const [shown] = await sandbox.network('TWITTER').posts(account.platformUserId);

    expect(shown?.settings).toEqual({ quote_tweet_id: '1789' });
  });
});
