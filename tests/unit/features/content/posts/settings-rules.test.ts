import { describe, expect, it } from 'vitest';
import { coverIdsOf, readSettings } from '#lib/features/content/posts/post-settings.ts';
import { settingsRuleProblems } from '#lib/features/content/posts/settings-rules.ts';
import type { Media } from '#lib/features/media/media.ts';
import type { MediaKind } from '#lib/vendors/networks/media-type.ts';
import type { Platform } from '#schemas/platforms.ts';
import type { PostSettings } from '#schemas/post-settings.ts';

const id = '0192f0c8-4e5f-7a6b-9c7d-8e9f0a1b2c3d';

function problems(
  platform: Platform,
  settings: PostSettings,
  kinds: ReadonlyArray<MediaKind | undefined> = [],
  media: readonly Media[] = [],
) {
  return settingsRuleProblems({ platform, settings, kinds, media });
}

function film(given: Partial<Media>): readonly Media[] {
  return [{ kind: 'VIDEO', width: 1_080, height: 1_920, durationSeconds: 30, ...given } as Media];
}

describe('settingsRuleProblems', () => {
  it.each([
    ['a story without media', 'INSTAGRAM', { postType: 'STORY' }, []],
    ['a story with two media', 'FACEBOOK', { postType: 'STORY' }, ['image', 'image']],
    ['a reel of an image', 'FACEBOOK', { postType: 'REEL' }, ['image']],
    ['a reel of two videos', 'INSTAGRAM', { postType: 'REEL' }, ['video', 'video']],
    [
      'collaborators of a story',
      'INSTAGRAM',
      { postType: 'STORY', collaborators: ['ada'] },
      ['image'],
    ],
    ['one collaborator twice', 'INSTAGRAM', { collaborators: ['ada', 'Ada'] }, ['image']],
    ['shareToFeed of an image', 'INSTAGRAM', { shareToFeed: true }, ['image']],
    ['shareToFeed of a story', 'INSTAGRAM', { postType: 'STORY', shareToFeed: true }, ['video']],
    ['a cover of an image', 'INSTAGRAM', { coverMediaId: id }, ['image']],
    ['duets on photos', 'TIKTOK', { allowDuet: true }, ['image']],
    ['stitches on photos', 'TIKTOK', { allowStitch: true }, ['image']],
    ['a cover second of photos', 'TIKTOK', { coverSecond: 0 }, ['image']],
    [
      'private branded content',
      'TIKTOK',
      { brandContent: true, privacyLevel: 'SELF_ONLY' },
      ['video'],
    ],
    ['a title without media', 'LINKEDIN', { title: 'x' }, []],
    ['a title of two images', 'LINKEDIN', { title: 'x' }, ['image', 'image']],
    ['a quote with media', 'TWITTER', { quotePostId: '1' }, ['image']],
  ] as const)('names %s', (_, platform, settings, kinds) => {
    const found = problems(platform, settings, kinds);

    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^settings\.\w+ /);
  });

  it.each([
    ['INSTAGRAM', { postType: 'FEED', shareToFeed: false, coverMediaId: id }, ['video']],
    ['INSTAGRAM', { postType: 'REEL', collaborators: ['ada', 'charles'] }, ['video']],
    ['INSTAGRAM', { postType: 'STORY' }, [undefined]],
    ['FACEBOOK', { postType: 'FEED' }, []],
    [
      'TIKTOK',
      { allowDuet: false, brandContent: true, privacyLevel: 'MUTUAL_FOLLOW_FRIENDS' },
      ['image'],
    ],
    ['LINKEDIN', { visibility: 'CONNECTIONS', title: 'x' }, ['image']],
    ['TWITTER', { quotePostId: '1', replySettings: 'following' }, []],
  ] as const)('accepts for %s the settings %j', (platform, settings, kinds) => {
    expect(problems(platform, settings, kinds)).toEqual([]);
  });

  it.each([
    [{}, 0],
    [{ durationSeconds: 91 }, 1],
    [{ durationSeconds: 2 }, 1],
    [{ width: 1_920, height: 1_080 }, 1],
    [{ width: 270, height: 480 }, 1],
    [{ kind: 'VIDEO', width: undefined, height: undefined, durationSeconds: undefined }, 0],
  ] as ReadonlyArray<readonly [Partial<Media>, number]>)(
    'checks length and size of a Facebook reel: %j',
    (given, count) => {
      expect(problems('FACEBOOK', { postType: 'REEL' }, ['video'], film(given))).toHaveLength(
        count,
      );
    },
  );

  it('counts tags as YouTube does: with commas, and quotes around those with spaces', () => {
    const plain = Array.from({ length: 50 }, () => 'a'.repeat(9));
    const withSpaces = plain.map((tag) => tag.replace('a', ' '));

    expect(problems('YOUTUBE', { tags: plain })).toEqual([]);
    expect(problems('YOUTUBE', { tags: withSpaces })).toEqual([
      'settings.tags must be shorter than or equal to 500 characters in all on YOUTUBE, which counts them as 599',
    ]);
  });
});

describe('readSettings', () => {
  it('treats null as absent and rounds the cover to milliseconds', () => {
    expect(readSettings('TIKTOK', { allowDuet: null, coverSecond: 1e-200 })).toEqual({
      settings: { coverSecond: 0 },
      problems: [],
    });
    expect(readSettings('TIKTOK', null)).toEqual({ problems: [] });
  });

  it('names each unknown field, and shortens long names', () => {
    const { problems: found } = readSettings('FACEBOOK', { title: 'x', ['y'.repeat(900)]: 1 });

    expect(found).toEqual([
      'settings.title is not allowed',
      `settings.${'y'.repeat(50)} is not allowed`,
    ]);
  });
});

describe('coverIdsOf', () => {
  it('returns valid ids only', () => {
    expect(coverIdsOf({ thumbnailMediaId: id, coverMediaId: 'x'.repeat(3_000) })).toEqual([id]);
    expect(coverIdsOf({ thumbnailMediaId: 7 })).toEqual([]);
  });
});
