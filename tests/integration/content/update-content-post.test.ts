import { describe, expect, it } from 'vitest';
import { cancelPostsOfAccount } from '#lib/features/content/cancel-posts.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, discard, write } from '#lib/platform/db/write.ts';
import { deleteContentPost, listContentPosts, updateContentPost } from '#schemas/content.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { overtake } from '#tests/support/overtake.ts';
import { bodyFor, contentSetup } from './setup.ts';

const inAnHour = () => timestamp(hourMs);

const world = await contentSetup();

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

  it.each(['updated', 'deleted', 'canceled'])(
    'is not %s once a publisher has claimed it concurrently',
    async (kind) => {
      const { organizationId, account, ask } = world;
      const { id, content } = await world.newPost({ scheduledAt: inAnHour() });
      const key = keys.contentPost(organizationId, id);
      const params = { post_id: id };
      const changes: Readonly<Record<string, () => Promise<unknown>>> = {
        updated: () => ask(updateContentPost, { params, body: { content: 'Newer' } }),
        deleted: () => ask(deleteContentPost, { params }),
        canceled: () => cancelPostsOfAccount(organizationId, account.id, { reason: 'Gone' }),
      };
      const begin = async () => changes[kind]?.();
      const claim = { set: { leaseUntil: timestamp(hourMs) }, add: { attempt: 1 } };
      await overtake({ begin, key }, () => write(change(key, claim)));

      expect(await get(key)).toMatchObject({ state: 'SCHEDULED', content, ...claim.set });
    },
  );

  it('is unchanged by an empty PATCH', async () => {
    const post = await world.newPost({ scheduledAt: inAnHour() });
    const answer = await world.ask(updateContentPost, { params: { post_id: post.id }, body: {} });

    expect(answer.status).toBe(200);
    expect(answer.body.contentPost).toEqual(post);
  });
});

describe('a published post', () => {
  it('allows only changes to its tags', async () => {
    const { id } = await world.newPost();
    const params = { post_id: id };
    const tagged = await world.ask(updateContentPost, { params, body: { tags: ['sold'] } });
    const refused = await world.ask(updateContentPost, { params, body: { content: 'Other' } });

    expect(tagged.body.contentPost).toMatchObject({ status: 'PUBLISHED', tags: ['sold'] });
    expect(refused.status).toBe(409);
    const found = await world.ask(listContentPosts, { query: { tags: 'sold' } });
    expect(found.body.contentPosts).toHaveLength(1);
  });
});
