import { describe, expect, test } from 'vitest';
import { createBioLink } from '#schemas/bio.ts';
import { call } from '#tests/support/api.ts';
import { bioLinkSetup, followBioLink, newLink } from './setup.ts';

const world = await bioLinkSetup();

describe('creating a link', () => {
  test('returns an active link with no clicks and a short URL that redirects to it', async () => {
    const link = await newLink(world.ada);

    expect(link).toMatchObject({
      organizationId: world.ada.organizationId,
      title: 'Our new engines',
      url: 'https://example.com/engines',
      description: null,
      imageUrl: null,
      buttonText: null,
      utmSource: null,
      isActive: true,
      clickCount: 0,
    });
    expect(link.shortUrl).toMatch(/^http:\/\/localhost:3000\/b\/[2-9A-HJ-NP-Za-km-z]{7}$/);
    expect((await followBioLink(link)).headers.location).toBe(link.url);
  });

  test('stores all given values', async () => {
    const fields = {
      title: 'Newsletter',
      description: 'Once a month',
      imageUrl: 'http://example.com/letter.png',
      buttonText: 'Subscribe',
      utmSource: 'bio',
      utmMedium: 'social',
      utmCampaign: 'spring',
      isActive: false,
    };
    expect(await newLink(world.ada, fields)).toMatchObject(fields);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'https://exam\tple.com/',
    'https://example.com/a\nb',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    'ftp://example.com/',
    'mailto:ada@example.com',
    '//example.com/',
    'example.com',
    'https://ada:secret@example.com/',
    'https://ada@example.com/',
    `https://example.com/${'x'.repeat(2_048)}`,
  ])('rejects %s as the URL or image URL', async (url) => {
    for (const field of ['url', 'imageUrl']) {
      const { status, body } = await call(createBioLink, {
        params: { organization_id: world.ada.organizationId },
        token: world.ada.token,
        body: { title: 'x', url: 'https://example.com/', [field]: url },
      });
      expect([status, String(body.message[0])]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${field} `)),
      ]);
    }
  });
});
