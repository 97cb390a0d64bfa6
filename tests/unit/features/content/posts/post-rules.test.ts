import { describe, expect, it } from 'vitest';
import { publicationProblems } from '#lib/features/content/posts/post-rules.ts';
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
