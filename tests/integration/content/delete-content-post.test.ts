import { describe, expect, it } from 'vitest';
import { deletePost } from '#lib/features/content/delete-post.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { hourMs, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';
import { deleteContentPost, getContentPost, updateContentPost } from '#schemas/content.ts';
import { disconnectSocialAccount } from '#schemas/social.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';
import { bodyFor, contentSetup } from './setup.ts';

const inAnHour = () => timestamp(hourMs);

const world = await contentSetup();

describe('an unpublished post', () => {
  it('is hidden once deleted, and its record is kept for 30 days', async () => {
    const post = await world.newPost({ scheduledAt: inAnHour() });
    const params = { post_id: post.id };
    expect(await world.ask(deleteContentPost, { params })).toMatchObject({
      status: 200,
      body: { deletedAtNetwork: true },
    });

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
    await withFreshToken(world.account, (credentials) =>
      publishingOf(world.account.platform).deletePost(credentials, post.platformPostId),
    );

    await deletePost(world.organizationId, post.id);
    expect((await world.ask(getContentPost, { params: { post_id: post.id } })).status).toBe(404);
  });

  it('stays here when the network rejects the deletion without a reason', async () => {
    const post = await world.newPost();
    const params = { post_id: post.id };
    const error = { code: 100, error_subcode: 33, message: 'Unsupported delete request' };
    await sandbox.addFault({
      service: 'facebook',
      method: 'DELETE',
      mode: 'error',
      status: 400,
      body: { error },
    });

    expect(await world.ask(deleteContentPost, { params })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('does not allow deleting this post') },
    });
    expect(await world.published()).toContain(post.content);
    expect((await world.readPost(post.id)).status).toBe('PUBLISHED');
  });

  it('stays at the network when its account is no longer connected', async () => {
    const gone = await connectedAccount(world.organizationId);
    const post = await world.newPost(bodyFor(gone));
    await world.ask(disconnectSocialAccount, { params: { account_id: gone.id } });

    expect(await world.ask(deleteContentPost, { params: { post_id: post.id } })).toMatchObject({
      status: 200,
      body: { deletedAtNetwork: false },
    });
    expect(await sandbox.network('FACEBOOK').posts(gone.platformUserId)).toHaveLength(1);
  });

  it('may stay at the network when its outcome is unknown', async () => {
    const post = await world.newPost({ scheduledAt: inAnHour() });
    await write(
      change(keys.contentPost(world.organizationId, post.id), {
        set: { state: 'FAILED', phase: 'UNCONFIRMED' },
      }),
    );

    expect(await world.ask(deleteContentPost, { params: { post_id: post.id } })).toMatchObject({
      status: 200,
      body: { deletedAtNetwork: false },
    });
  });
});
