import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cancelPostsOfAccount } from '#lib/features/content/cancel-posts.ts';
import { deletePost } from '#lib/features/content/delete-post.ts';
import { openToken } from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, discard, write } from '#lib/platform/db/write.ts';
import {
  createContentPost,
  deleteContentPost,
  getContentPost,
  listContentPosts,
  reconcileContentPost,
  updateContentPost,
} from '#schemas/content.ts';
import { newMember } from '#tests/support/accounts.ts';
import { connectedAccount } from '#tests/support/content.ts';
import { sandbox } from '#tests/support/mails.ts';
import { receiverUrl } from '#tests/support/received-events.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { storedItems } from '#tests/support/table.ts';
import { bodyFor, type ContentWorld, contentWorld } from './world.ts';

let world: ContentWorld;

beforeAll(async () => {
  world = await contentWorld();
});

afterEach(() => sandbox.clearFaults());

const inAnHour = () => timestamp(hourMs);

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

  it('stores it as FAILED when the network accepted it without responding, and reconcile finds it', async () => {
    const body = bodyFor(world.account);
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang-after', times: 1 });
    const { status, body: answer } = await world.ask(createContentPost, { body });
    const post = answer.contentPost;

    expect(status).toBe(201);
    expect(post).toMatchObject({ status: 'FAILED', failureCode: 'OUTCOME_UNKNOWN' });
    expect(post.failureReason).toBeTruthy();
    const settled = await world.ask(reconcileContentPost, { params: { post_id: post.id } });
    expect(settled.body.contentPost).toMatchObject({ status: 'PUBLISHED', failureReason: null });
    expect(settled.body.contentPost.platformPostId).toBeTruthy();
    expect((await world.published()).filter((text) => text === body.content)).toHaveLength(1);
  });

  it('keeps its status when the network cannot confirm it, and reconcile does not resend it', async () => {
    const body = bodyFor(world.account);
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang', times: 1 });
    const { contentPost: post } = (await world.ask(createContentPost, { body })).body;
    const settled = await world.ask(reconcileContentPost, { params: { post_id: post.id } });

    expect(settled.body.contentPost).toMatchObject({
      status: 'FAILED',
      failureCode: 'OUTCOME_UNKNOWN',
    });
    expect(await world.published()).not.toContain(body.content);
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

describe('a keyword', () => {
  it('belongs to one post, ignoring case and Unicode form, and is free once that is deleted', async () => {
    const keyword = `Éß-${randomUUID()}`;
    const scheduledAt = inAnHour();
    const first = await world.newPost({ keyword, scheduledAt });
    const body = { ...bodyFor(world.account), scheduledAt };
    const again = { ...body, keyword: ` ${keyword.normalize('NFD').toUpperCase()} ` };
    const refused = await world.ask(createContentPost, { body: again });
    await world.ask(deleteContentPost, { params: { post_id: first.id } });

    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe('Content already exists with this keyword');
    expect((await world.ask(createContentPost, { body: again })).status).toBe(201);
  });
});

describe('an unpublished post', () => {
  it('accepts a time in any zone, and becomes a draft when it is cleared', async () => {
    const post = await world.newPost({ scheduledAt: '2035-01-15T11:30:00+02:00' });
    const params = { post_id: post.id };
    const draft = await world.ask(updateContentPost, { params, body: { scheduledAt: null } });

    expect(post).toMatchObject({ status: 'SCHEDULED', scheduledAt: '2035-01-15T09:30:00.000Z' });
    expect(draft.body.contentPost).toMatchObject({ status: 'DRAFT', scheduledAt: null });
  });

  it.each([
    ['DRAFT', { draft: true }],
    ['FAILED', { scheduledAt: inAnHour() }],
  ])(
    'with the status %s cannot be scheduled while its account cannot publish',
    async (status, given) => {
      const { organizationId, ask } = world;
      const account = await storeSocialAccount(organizationId);
      const key = keys.socialAccount(organizationId, account.id);
      const { id } = await world.newPost({ ...bodyFor(account), ...given });
      const schedule = (body: object = { scheduledAt: inAnHour() }) =>
        ask(updateContentPost, { params: { post_id: id }, body });
      await write(change(key, { set: { isActive: false } }));
      const inactive = await schedule();
      await write(discard(key));
      await cancelPostsOfAccount(organizationId, account.id, {
        reason: 'It was disconnected',
      });
      const gone = await schedule();

      expect([inactive.status, inactive.body.code]).toEqual([401, 'PLATFORM_TOKEN_INVALID']);
      expect(gone.status).toBe(404);
      expect(gone.body.message).toBe("Social account not found or you don't have access");
      expect((await schedule({ content: 'Newer' })).body.contentPost).toMatchObject({ status });
    },
  );

  it('is unchanged by an empty PATCH', async () => {
    const post = await world.newPost({ scheduledAt: inAnHour() });
    const answer = await world.ask(updateContentPost, { params: { post_id: post.id }, body: {} });

    expect(answer.status).toBe(200);
    expect(answer.body.contentPost).toEqual(post);
  });

  it('is hidden once deleted, and its record is kept for 30 days', async () => {
    const post = await world.newPost({ scheduledAt: inAnHour() });
    const params = { post_id: post.id };
    expect((await world.ask(deleteContentPost, { params })).status).toBe(200);

    expect((await world.ask(getContentPost, { params })).status).toBe(404);
    expect((await world.ask(updateContentPost, { params, body: { content: 'x' } })).status).toBe(
      404,
    );
    expect((await world.ask(deleteContentPost, { params })).status).toBe(404);
    const kept = await storedItems(`ORG#${world.organizationId}#POST#${post.id}`);
    expect(kept[0]).toMatchObject({ state: 'DELETED' });
    const days = (Number(kept[0]?.expiresAtSeconds) - Date.now() / 1000) / 86_400;
    expect(Math.round(days)).toBe(30);
  });
});

describe('a published post', () => {
  it('allows changes to its tags only', async () => {
    const { id } = await world.newPost();
    const params = { post_id: id };
    const tagged = await world.ask(updateContentPost, { params, body: { tags: ['sold'] } });
    const refused = await world.ask(updateContentPost, { params, body: { content: 'Other' } });

    expect(tagged.body.contentPost).toMatchObject({ status: 'PUBLISHED', tags: ['sold'] });
    expect(refused.status).toBe(409);
    const found = await world.ask(listContentPosts, { query: { tags: 'sold' } });
    expect(found.body.contentPosts).toHaveLength(1);
  });

  it('is also deleted at the network, and kept when the network does not respond', async () => {
    const post = await world.newPost();
    const params = { post_id: post.id };
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    const refused = await world.ask(deleteContentPost, { params });
    await sandbox.clearFaults();

    expect(refused.status).toBe(502);
    expect((await world.readPost(post.id)).status).toBe('PUBLISHED');
    expect((await world.ask(deleteContentPost, { params })).status).toBe(200);
    expect(await world.published()).not.toContain(post.content);
  });

  it('is deleted here when the network no longer has it', async () => {
    const post = await world.newPost();
    await withFreshToken(world.account, (network, credentials) =>
      network.deletePost(credentials, post.platformPostId),
    );

    await deletePost(world.organizationId, post.id);
    expect((await world.ask(getContentPost, { params: { post_id: post.id } })).status).toBe(404);
  });
});

describe('access to posts', () => {
  it('lets a VIEWER read and a MEMBER write', async () => {
    const viewer = await newMember(world.owner, 'VIEWER');
    const member = await newMember(world.owner, 'MEMBER');
    const body = { ...bodyFor(world.account), scheduledAt: inAnHour() };

    expect((await world.ask(listContentPosts, { token: viewer.token })).status).toBe(200);
    expect((await world.ask(createContentPost, { token: viewer.token, body })).status).toBe(403);
    expect((await world.ask(createContentPost, { token: member.token, body })).status).toBe(201);
  });
});
