import { describe, expect, it } from 'vitest';
import {
  publicationProblems,
  supportProblems,
  textProblems,
} from '#lib/features/content/posts/post-rules.ts';
import type { Media } from '#lib/features/media/media.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { platforms } from '#schemas/platforms.ts';

const image = 'https://media.invalid/a.jpg';
const video = 'https://media.invalid/a.mp4';
const mediaFor = { image, video };

describe('publicationProblems', () => {
  it.each(platforms)('accepts content up to the limits of %s', async (platform) => {
    const { maxPostLength, media, supports } = capabilities[platform];
    const mediaUrls = media.slice(0, 1).map((kind) => mediaFor[kind]);
    const content = 'a'.repeat(maxPostLength);

    expect(await publicationProblems({ platform, content, mediaUrls })).toEqual([]);
    expect(await publicationProblems({ platform, content: `${content}a`, mediaUrls })).toEqual([
      expect.stringContaining(String(maxPostLength)),
    ]);
    expect(await publicationProblems({ platform, content: 'a', mediaUrls: [] })).toHaveLength(
      supports.textOnlyPost ? 0 : 1,
    );
  });

  it.each(platforms)('rejects too many media for %s', async (platform) => {
    const { maxMedia, media } = capabilities[platform];
    const kind = media[0] ?? 'image';
    const mediaUrls = Array.from({ length: maxMedia + 1 }, () => mediaFor[kind]);

    expect(await publicationProblems({ platform, content: 'a', mediaUrls })).toEqual([
      expect.stringMatching(/^mediaUrls /),
    ]);
  });

  it.each([
    ['FACEBOOK', false],
    ['INSTAGRAM', true],
    ['TIKTOK', false],
    ['TWITTER', false],
    ['LINKEDIN', false],
  ] as const)(
    'checks whether %s allows a video together with other media',
    async (platform, mixes) => {
      const problems = mixes ? [] : [expect.stringMatching(/^mediaUrls .*mixedMedia/)];

      for (const mediaUrls of [
        [video, image],
        [image, video],
        [video, video],
      ]) {
        expect(await publicationProblems({ platform, content: 'a', mediaUrls })).toEqual(problems);
      }
      expect(await publicationProblems({ platform, content: 'a', mediaUrls: [video] })).toEqual([]);
      expect(
        await publicationProblems({ platform, content: 'a', mediaUrls: [image, image] }),
      ).toEqual([]);
    },
  );

  it('names the media URL that the network does not support', async () => {
    const post = { platform: 'YOUTUBE', content: 'a', mediaUrls: [image] } as const;

    expect(await publicationProblems(post)).toEqual([
      expect.stringMatching(/^mediaUrls\.0 .*video/),
    ]);
  });
});

describe('textProblems', () => {
  it('names each text with too many hashtags or cashtags, as it is published', () => {
    const hashtags = Array.from({ length: 30 }, (_, index) => `#tag${index}`).join(' ');
    const post = { platform: 'INSTAGRAM', mediaUrls: [image], utmSource: '#news' } as const;
    const link = 'https://a.example/#part';

    expect(
      textProblems({ ...post, content: `${hashtags} ${link}`, firstComment: hashtags }),
    ).toEqual([]);
    expect(
      textProblems({
        ...post,
        content: `${hashtags} #31`,
        firstComment: `${hashtags}#31`,
      }),
    ).toEqual([
      'content must contain no more than 30 hashtags on INSTAGRAM, and contains 31',
      'firstComment must contain no more than 30 hashtags on INSTAGRAM, and contains 31',
    ]);
    expect(
      textProblems({
        platform: 'TWITTER',
        content: '$ACME',
        mediaUrls: [],
        thread: [{ content: '$ACME $B' }],
      }),
    ).toEqual(['thread.0.content must contain no more than 1 cashtags on TWITTER, and contains 2']);
  });
});

describe('publicationProblems of a thread', () => {
  const post = { platform: 'TWITTER', content: 'One', mediaUrls: [] } as const;

  it('names the part that is too long', async () => {
    const thread = [{ content: 'a'.repeat(280) }, { content: 'a'.repeat(281) }];

    expect(await publicationProblems({ ...post, thread })).toEqual([
      expect.stringMatching(/^thread\.1\.content .*280/),
    ]);
  });

  it('names the part with too many media, or media that X does not combine', async () => {
    const picture = { kind: 'IMAGE', contentType: 'image/jpeg' } as Media;
    const film = { kind: 'VIDEO', contentType: 'video/mp4' } as Media;
    const thread = [{ content: 'Two' }, { content: 'Three' }, { content: 'Four' }];
    const threadMedia = [Array(4).fill(picture), Array(5).fill(picture), [picture, film]];

    expect(await publicationProblems({ ...post, thread, threadMedia })).toEqual([
      expect.stringMatching(/^thread\.1\.mediaIds /),
      expect.stringMatching(/^thread\.2\.mediaIds /),
      expect.stringMatching(/^thread\.2\.mediaIds /),
    ]);
  });

  it('counts each medium of the post and its thread once', async () => {
    const partWith = (ids: readonly string[]) => ({ content: 'a', mediaIds: ids });
    const ids = Array.from({ length: 36 }, (_, index) => `medium-${index}`);

    expect(
      await publicationProblems({
        ...post,
        mediaIds: ids.slice(0, 4),
        thread: [partWith(ids.slice(0, 35)), partWith(ids.slice(0, 2))],
      }),
    ).toEqual([]);
    expect(
      await publicationProblems({
        ...post,
        mediaIds: ids.slice(0, 4),
        thread: [partWith(ids.slice(4))],
      }),
    ).toEqual([expect.stringMatching(/^thread .*35/)]);
  });

  it.each(platforms.filter((platform) => platform !== 'TWITTER'))(
    'rejects a thread on %s',
    async (platform) => {
      expect(supportProblems({ ...post, platform, thread: [{ content: 'Two' }] })).toEqual([
        `thread must be empty: ${platform} does not support thread`,
      ]);
    },
  );
});

describe('publicationProblems of a first comment', () => {
  it.each(['TWITTER', 'TIKTOK'] as const)('rejects a first comment on %s', (platform) => {
    const post = { platform, content: 'One', mediaUrls: [], firstComment: 'More' };

    expect(supportProblems(post)).toEqual([
      `firstComment must be empty: ${platform} does not support firstComment`,
    ]);
  });

  it.each(['FACEBOOK', 'INSTAGRAM', 'LINKEDIN', 'YOUTUBE'] as const)(
    'accepts a first comment up to the limit of %s, with UTM parameters',
    (platform) => {
      const { maxCommentLength } = capabilities[platform];
      const post = { platform, content: 'One', mediaUrls: [] };
      const link = ' https://example.com/a';
      const firstComment = 'a'.repeat(maxCommentLength - link.length) + link;

      expect(supportProblems({ ...post, firstComment })).toEqual([]);
      expect(textProblems({ ...post, firstComment })).toEqual([]);
      expect(textProblems({ ...post, firstComment, utmSource: 'spring' })).toEqual([
        expect.stringMatching(new RegExp(`^firstComment .*${maxCommentLength}`)),
      ]);
    },
  );
});
