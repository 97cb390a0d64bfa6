import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openToken } from '#lib/features/social/accounts/token-holder.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { createContentPost, deleteContentPost, updateContentPost } from '#schemas/content.ts';
import { createContentGroup } from '#schemas/content-groups.ts';
import { receiverUrl } from '#scripts/fixtures/sandbox.ts';
import { connectedAccount, storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';
import { mediaFiles } from '../../unit/vendors/networks/local-servers.ts';
import { bodyFor, bodyOn, contentSetup } from './setup.ts';

const inAnHour = () => timestamp(hourMs);

const world = await contentSetup();

describe('creating a post without a time', () => {
  it('publishes it before the response', async () => {
    const post = await world.newPost({ tags: ['engines', 'engines', 'spring'] });

    expect(post).toMatchObject({
      status: 'PUBLISHED',
      scheduledAt: null,
      failureReason: null,
      tags: ['engines', 'spring'],
      socialAccount: { id: world.account.id, platform: 'FACEBOOK', name: 'Engines on Facebook' },
    });
    expect(post.platformPostId).toBeTruthy();
    expect(Date.parse(post.publishedAt)).toBeGreaterThan(0);
    expect(await world.published()).toContain(post.content);
  });

  it('leaves nothing behind while the network is down, and can be retried', async () => {
    const keyword = randomUUID();
    const body = { ...bodyFor(world.account), keyword, tags: ['gone'] };
    const before = await tenantItems();
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    const refused = await world.ask(createContentPost, { body });
    await sandbox.clearFaults();

    expect(refused.status).toBe(502);
    expect(refused.body.message).toBe('Social platform temporarily unavailable');
    expect(await tenantItems()).toEqual(before);
    expect((await world.ask(createContentPost, { body })).body.contentPost.status).toBe(
      'PUBLISHED',
    );
    expect((await world.published()).filter((text) => text === body.content)).toHaveLength(1);
  });

  it('returns 401 with its own code for an invalid token and leaves nothing behind', async () => {
    const account = await connectedAccount(world.organizationId);
    await sandbox.network('FACEBOOK').revokeTokens((await openToken(account, 'accessToken')) ?? '');
    const before = await tenantItems();
    const refused = await world.ask(createContentPost, { body: bodyFor(account) });

    expect(refused.status).toBe(401);
    expect(refused.body.message).toBe('Invalid or expired access token');
    expect(refused.body.code).toBe('PLATFORM_TOKEN_INVALID');
    const posts = (items: typeof before) => items.filter(({ pk }) => pk.includes('#POST'));
    expect(posts(await tenantItems())).toEqual(posts(before));
  });
});

/** Returns the stored items, except counters that are back at zero. */
async function tenantItems() {
  const items = await storedItems(`ORG#${world.organizationId}`);

  return items.filter(({ total }) => total !== 0);
}

describe('a time in the past', () => {
  const scheduledAt = '2020-01-01T00:00:00Z';

  it.each([
    ['a text that no network takes', { content: 'x'.repeat(5_001) }, /^content /],
    ['a setting that does not exist', { settings: { nope: 1 } }, /^settings.nope /],
  ])('is reported together with %s', async (_, wrong, message) => {
    const body = { ...bodyFor(world.account), ...wrong, scheduledAt };
    const post = await world.newPost({ scheduledAt: inAnHour() });
    const answers = [
      await world.ask(createContentPost, { body }),
      await world.ask(createContentGroup, {
        body: {
          content: 'Engines',
          ...wrong,
          scheduledAt,
          targets: [{ ...wrong, socialAccountId: world.account.id }],
        },
      }),
      await world.ask(updateContentPost, {
        params: { post_id: post.id },
        body: { ...wrong, scheduledAt },
      }),
    ];

    for (const { status, body: error } of answers) {
      expect(status).toBe(400);
      expect(error.message).toContain('scheduledAt must be in the future');
      expect(error.message.length).toBeGreaterThan(1);
    }
    expect(answers[0]?.body.message).toContainEqual(expect.stringMatching(message));
  });
});

describe('content that a network does not support', () => {
  it.each([
    ['a platform other than the account’s', { platform: 'TWITTER' }, /^platform must match/],
    ['a time in the past', { scheduledAt: '2020-01-01T00:00:00Z' }, /^scheduledAt must be in/],
    ['eleven images', { mediaUrls: Array(11).fill('https://example.com/a.jpg') }, /^mediaUrls /],
    [
      'a video together with an image',
      {
        mediaUrls: ['https://example.com/a.mp4', 'https://example.com/b.jpg'],
        scheduledAt: inAnHour(),
      },
      /^mediaUrls .*mixedMedia/,
    ],
    ['media that is not a URL', { mediaUrls: ['ftp://example.com/a'] }, /^mediaUrls.0 /],
    ['only whitespace', { content: ' \n ' }, /^content /],
    [
      'a tag that no filter could match',
      { tags: ['a', 'b,c'] },
      /^tags.1 must not contain a comma/,
    ],
  ])('is rejected before anything is written: %s', async (_, change, message) => {
    const answer = await world.ask(createContentPost, {
      body: { ...bodyFor(world.account), ...change },
    });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(message)]);
  });

  it.each(['INSTAGRAM', 'TIKTOK', 'YOUTUBE'] as const)(
    'includes text-only posts on %s, and the error names the capability',
    async (platform) => {
      const account = await connectedAccountOf(platform);
      const body = { ...bodyFor(account), scheduledAt: inAnHour() };
      const answer = await world.ask(createContentPost, { body });

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringContaining('textOnlyPost')]);
    },
  );

  it("includes text that is too long by the network's own count", async () => {
    const account = await connectedAccountOf('TWITTER');
    const link = `https://example.com/${'a'.repeat(400)}`;
    const body = { ...bodyFor(account), scheduledAt: inAnHour() };
    const fits = { ...body, content: `${'a'.repeat(256)} ${link}` };
    const tooLong = { ...body, content: '語'.repeat(141) };

    expect((await world.ask(createContentPost, { body: fits })).status).toBe(201);
    expect((await world.ask(createContentPost, { body: tooLong })).body.message).toEqual([
      expect.stringContaining('280'),
    ]);
  });

  it('includes more hashtags than the network allows, also in a change', async () => {
    const { body } = await bodyOn('INSTAGRAM', world);
    const hashtags = (count: number) =>
      Array.from({ length: count }, (_, index) => `#tag${index}`).join(' ');
    const problem = [expect.stringMatching(/^content must contain no more than 30 hashtags/)];
    const refused = await world.ask(createContentPost, {
      body: { ...body, content: hashtags(31) },
    });
    const made = await world.ask(createContentPost, {
      body: { ...body, content: hashtags(30), scheduledAt: inAnHour() },
    });
    const params = { post_id: made.body.contentPost.id };
    const changed = await world.ask(updateContentPost, {
      params,
      body: { content: hashtags(31) },
    });

    expect([refused.status, refused.body.message]).toEqual([400, problem]);
    expect(made.status).toBe(201);
    expect([changed.status, changed.body.message]).toEqual([400, problem]);
  });

  it.each([
    [404, 400, [expect.stringMatching(/^mediaUrls .*TWITTER: The media file at .* returned 404$/)]],
    [503, 502, expect.stringMatching(/^The media file at .* returned 503$/)],
  ])(
    'includes media whose server returns %i, which is not reported as a network outage',
    async (says, status, message) => {
      const account = await connectedAccount(world.organizationId, { platform: 'TWITTER' });
      const mediaUrls = [receiverUrl(`engine-${says}.jpg`)];
      await sandbox.addFault({
        service: 'hooks',
        mode: 'error',
        status: says,
        path: `${says}.jpg`,
      });

      const answer = await world.ask(createContentPost, {
        body: { ...bodyFor(account), mediaUrls },
      });

      expect(answer.status).toBe(status);
      expect(answer.body.message).toEqual(message);
    },
  );

  it('is allowed in a draft and rejected when the draft is scheduled', async () => {
    const account = await connectedAccountOf('INSTAGRAM');
    const { body } = await world.ask(createContentPost, {
      body: { ...bodyFor(account), draft: true },
    });
    const params = { post_id: body.contentPost.id };
    const scheduledAt = inAnHour();
    const mediaUrls = ['https://example.com/engine.jpg'];

    expect(body.contentPost.status).toBe('DRAFT');
    expect((await world.ask(updateContentPost, { params, body: { scheduledAt } })).status).toBe(
      400,
    );
    const scheduled = await world.ask(updateContentPost, {
      params,
      body: { scheduledAt, mediaUrls },
    });
    expect(scheduled.body.contentPost).toMatchObject({ status: 'SCHEDULED', mediaUrls });
  });
});

function connectedAccountOf(platform: 'INSTAGRAM' | 'TIKTOK' | 'YOUTUBE' | 'TWITTER') {
  return storeSocialAccount(world.organizationId, { platform });
}

describe('links in the text', () => {
  it('get the UTM parameters at the network, but are stored as written', async () => {
    const content = `See https://engines.example/spring, ${randomUUID()}`;
    const post = await world.newPost({ content, utmSource: 'page', utmCampaign: 'spring' });

    expect(post.content).toBe(content);
    expect(await world.published()).toContain(
      content.replace('/spring', '/spring?utm_source=page&utm_campaign=spring'),
    );
  });

  it('count toward the length limit with their parameters', async () => {
    const link = 'https://engines.example/spring';
    const account = await storeSocialAccount(world.organizationId, { platform: 'LINKEDIN' });
    const content = `${link} ${'x'.repeat(3_000 - link.length - 1)}`;
    const body = { ...bodyFor(account), content, utmSource: 'page' };
    const { status, body: answer } = await world.ask(createContentPost, { body });

    expect(status).toBe(400);
    expect(answer.message[0]).toMatch(/^content must be shorter/);
  });
});

describe('media', () => {
  it('are images or videos according to their content, not their file extension', async () => {
    const mp4 = Buffer.from('\0\0\0\x18ftypisom', 'latin1');
    const origin = await mediaFiles({
      '/film.jpg': ['application/octet-stream', mp4],
      '/photo.mp4': ['video/mp4', Buffer.from('ffd8ffe0', 'hex')],
    });
    const account = await connectedAccount(world.organizationId, { platform: 'YOUTUBE' });
    const create = (name: string) =>
      world.ask(createContentPost, {
        body: { ...bodyFor(account), scheduledAt: inAnHour(), mediaUrls: [`${origin}/${name}`] },
      });
    const refused = await create('photo.mp4');

    expect((await create('film.jpg')).status).toBe(201);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual([expect.stringMatching(/^mediaUrls\.0 /)]);
  });
});

describe('a keyword', () => {
  it('belongs to only one post, ignoring case and Unicode form, and is free after that is deleted', async () => {
    const keyword = `Éß-${randomUUID()}`;
    const scheduledAt = inAnHour();
    const first = await world.newPost({ keyword, scheduledAt });
    const body = { ...bodyFor(world.account), scheduledAt };
    const again = { ...body, keyword: ` ${keyword.normalize('NFD')} ` };
    const refused = await world.ask(createContentPost, { body: again });
    await world.ask(deleteContentPost, { params: { post_id: first.id } });

    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe('Content already exists with this keyword');
    expect((await world.ask(createContentPost, { body: again })).status).toBe(201);
  });
});
