import { describe, expect, it } from 'vitest';
import { handler as postsImport } from '#functions/jobs/posts-import.ts';
import type { ImportReport } from '#lib/features/content/importing/import-due-posts.ts';
import { importPosts } from '#lib/features/content/importing/import-posts.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, hourMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import {
  createContentPost,
  deleteContentPost,
  getContentAnalytics,
  listContentPosts,
  reconcileContentPost,
} from '#schemas/content.ts';
import type { Platform } from '#schemas/platforms.ts';
import { platforms } from '#schemas/platforms.ts';
import { disconnectSocialAccount, syncSocialAccount } from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import { untilDeath } from '#tests/support/deaths.ts';
import { sandbox } from '#tests/support/mails.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';

const ago = (ms: number) => new Date(Math.floor((Date.now() - ms) / secondMs) * secondMs);

/** Creates an organization with an account that has no posts. */
async function importSetup(platform: Platform = 'FACEBOOK') {
  const { token, organizationId } = await newAccount();
  const {
    id: accountId,
    params,
    platformUserId: userId,
  } = await connectAccount(token, { platform });
  const network = sandbox.network(platform);
  const inOrganization = { organization_id: organizationId };

  return {
    token,
    organizationId,
    accountId,
    params,
    userId,
    network,
    make: async (text: string, ageMs = hourMs) =>
      (await network.makePost({ userId, text, at: ago(ageMs).toISOString() })).id,
    makeMany: (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          network.makePost({
            userId,
            text: `Post ${index}`,
            at: ago((index + 1) * hourMs).toISOString(),
          }),
        ),
      ),
    sync: async (body = {}) => (await call(syncSocialAccount, { token, params, body })).body,
    synced: async () =>
      (await call(syncSocialAccount, { token, params, body: {} })).body.syncResult.postsSynced,
    list: async (query = {}) => {
      const { body } = await call(listContentPosts, { token, params: inOrganization, query });

      return { posts: body.contentPosts, total: body.pagination.total };
    },
    publish: async (content: string) =>
      (
        await call(createContentPost, {
          token,
          params: inOrganization,
          body: { socialAccountId: accountId, platform, content },
        })
      ).body.contentPost,
    remove: async (postId: string, query = {}) =>
      (
        await call(deleteContentPost, {
          token,
          params: { ...inOrganization, post_id: postId },
          query,
        })
      ).body,
  };
}

async function runJob(afterMs = 0): Promise<ImportReport> {
  setClock(() => Date.now() + afterMs);
  const report = await postsImport(undefined, lambdaContext(240_000));
  setClock();

  return report;
}

describe('syncing an account', () => {
  it.each(platforms)('imports the posts of the last 90 days from %s', async (platform) => {
    const world = await importSetup(platform);
    await world.make('Too old', 91 * dayMs);
    const old = await world.make('Old', 89 * dayMs);
    const text = 'Engines (new) #1';
    const recent = await world.make(text);

    expect(await world.synced()).toBe(2);
    const { posts, total } = await world.list();
    expect(total).toBe(2);
    expect(posts).toMatchObject(
      [
        { platformPostId: recent, content: text },
        { platformPostId: old, content: 'Old' },
      ].map((post) => ({
        ...post,
        socialAccountId: world.accountId,
        platform,
        status: 'PUBLISHED',
        source: 'IMPORTED',
        mediaUrls: [],
        url: expect.stringContaining('https://'),
      })),
    );
    const [newest] = await world.network.posts(world.userId);
    expect(posts[0].publishedAt).toBe(newest?.at);
  });

  it.each(platforms)('reads all pages of %s', async (platform) => {
    const world = await importSetup(platform);
    await world.makeMany(110);

    expect(await world.synced()).toBe(110);
    const { posts, total } = await world.list({ limit: '1' });
    expect(total).toBe(110);
    expect(posts[0].content).toBe('Post 0');
    expect(await world.synced()).toBe(0);
  });

  it('imports at most 200 posts, the newest ones', async () => {
    const world = await importSetup('TIKTOK');
    await world.makeMany(203);

    expect(await world.synced()).toBe(200);
    expect((await world.list({ search: 'Post 199' })).total).toBe(1);
    expect((await world.list({ search: 'Post 200' })).total).toBe(0);
  });

  it('counts posts that were created or changed, but not changes of metrics', async () => {
    const world = await importSetup();
    const id = await world.make('First');

    expect(await world.synced()).toBe(1);
    await world.network.setMetrics(id, { likes: 12 });
    expect(await world.synced()).toBe(0);
    await world.network.editPost(id, 'Second');
    expect(await world.synced()).toBe(1);
    expect((await world.list()).posts).toMatchObject([{ content: 'Second' }]);
    expect((await world.sync({ includePosts: false })).syncResult.postsSynced).toBe(0);
  });

  it('lists imported posts by source, and counts them in analytics', async () => {
    const world = await importSetup();
    const own = await world.publish('Made here');
    await world.network.setMetrics(await world.make('Made elsewhere'), { likes: 12 });
    await world.sync();
    const ids = async (source: string) =>
      (await world.list({ source })).posts.map(({ content }: { content: string }) => content);

    expect(await ids('IMPORTED')).toEqual(['Made elsewhere']);
    expect(await ids('CREATED')).toEqual([own.content]);
    const { analytics } = (
      await call(getContentAnalytics, {
        token: world.token,
        params: { organization_id: world.organizationId },
      })
    ).body;
    expect(analytics.overview).toMatchObject({ totalPosts: 2, totalEngagement: 12 });
  });

  it('imports each post once in concurrent syncs', async () => {
    const world = await importSetup();
    await world.makeMany(15);
    const counts = await Promise.all(Array.from({ length: 4 }, () => world.synced()));

    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(15);
    const { posts, total } = await world.list({ limit: '100' });
    expect(total).toBe(15);
    expect(new Set(posts.map(({ content }: { content: string }) => content)).size).toBe(15);
  });

  it('imports the rest of a batch if another import was faster with a part of it', async () => {
    const { organizationId, accountId, list } = await importSetup();
    const account = await findSocialAccount(organizationId, accountId);
    const listed = Array.from({ length: 9 }, (_, index) => ({
      platformPostId: `post-${index}`,
      text: `Post ${index}`,
      publishedAt: ago((index + 1) * hourMs).toISOString(),
      url: null,
    }));
    const counts = await Promise.all(
      [listed.slice(0, 6), listed.slice(3)].map((part) =>
        importPosts(account as SocialAccount, part),
      ),
    );

    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(9);
    expect((await list()).total).toBe(9);
  });

  it.each([1, 2, 3])('completes after it was terminated after write %i', async (nth) => {
    const world = await importSetup();
    await world.makeMany(15);
    await untilDeath({ at: 'a write', nth, when: 'after' }, () => world.sync());
    await world.sync();

    expect((await world.list()).total).toBe(15);
    expect(await world.synced()).toBe(0);
  });

  it('does not import what the service published', async () => {
    const world = await importSetup();
    await world.publish('Made here');

    expect(await world.synced()).toBe(0);
    expect((await world.list()).total).toBe(1);
  });

  it('does not import a post whose outcome is unknown, but imports the others', async () => {
    const world = await importSetup();
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang-after', times: 1 });
    const { id, failureCode } = await world.publish('Made here https://example.com');
    expect(failureCode).toBe('OUTCOME_UNKNOWN');
    await world.make('Made elsewhere', 0);

    expect(await world.synced()).toBe(1);
    expect(
      (await world.list()).posts.map((post: { source: string }) => post.source).toSorted(),
    ).toEqual(['CREATED', 'IMPORTED']);
    const { contentPost } = (
      await call(reconcileContentPost, {
        token: world.token,
        params: { organization_id: world.organizationId, post_id: id },
      })
    ).body;
    expect(contentPost.status).toBe('PUBLISHED');
    expect(await world.synced()).toBe(0);
  });

  it('does not import a post with an unknown outcome that was deleted here', async () => {
    const world = await importSetup();
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang-after', times: 1 });
    const { id } = await world.publish('Made here');
    expect((await world.remove(id)).deletedAtNetwork).toBe(false);

    expect(await world.synced()).toBe(0);
  });
});

describe('deleting an imported post', () => {
  it('leaves the post at the network, and does not import it again', async () => {
    const world = await importSetup();
    const platformPostId = await world.make('Made elsewhere');
    await world.sync();
    const { posts } = await world.list();
    const since = new Date().toISOString();

    expect(await world.remove(posts[0].id)).toMatchObject({ deletedAtNetwork: false });
    expect(await sandbox.requests({ service: 'facebook', since })).toEqual([]);
    expect(await world.network.posts(world.userId)).toMatchObject([{ id: platformPostId }]);
    expect(await world.synced()).toBe(0);
    expect((await world.list()).total).toBe(0);
  });

  it('also deletes it at the network when asked to', async () => {
    const world = await importSetup();
    await world.make('Made elsewhere');
    await world.sync();
    const { posts } = await world.list();

    expect(await world.remove(posts[0].id, { atNetwork: 'true' })).toMatchObject({
      deletedAtNetwork: true,
    });
    expect(await world.network.posts(world.userId)).toEqual([]);
  });
});

describe('the job posts-import', () => {
  it('imports the posts of a new account immediately, and then once a day', async () => {
    const world = await importSetup();
    await world.make('First');
    await runJob();
    expect((await world.list()).total).toBe(1);
    await world.make('Second', 0);
    await runJob(12 * hourMs);
    expect((await world.list()).total).toBe(1);

    await runJob(dayMs);
    expect((await world.list()).total).toBe(2);
  });

  it('retries an account whose network is down after an hour, and continues with the others', async () => {
    const [down, up] = [await importSetup('LINKEDIN'), await importSetup()];
    await down.make('On LinkedIn');
    await up.make('On Facebook');
    await sandbox.addFault({ service: 'linkedin', mode: 'down' });
    const { failed } = await runJob();
    await sandbox.clearFaults();

    expect(failed).toBeGreaterThanOrEqual(1);
    expect((await up.list()).total).toBe(1);
    await runJob(2 * hourMs);
    expect((await down.list()).total).toBe(1);
  });

  it('does not import posts of a disconnected account', async () => {
    const world = await importSetup();
    await call(disconnectSocialAccount, { token: world.token, params: world.params });

    expect(await get(keys.importSchedule(world.organizationId, world.accountId))).toBeUndefined();
  });
});
