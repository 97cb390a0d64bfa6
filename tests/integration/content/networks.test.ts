import { describe, expect, it, vi } from 'vitest';
import { handler as contentPublish } from '#functions/jobs/content-publish.ts';
import { minuteMs, timestamp } from '#lib/platform/clock.ts';
import { deleteContentPost, getContentPost } from '#schemas/content.ts';
import { platforms } from '#schemas/platforms.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';
import { bodyOn, clockOfTest, contentSetup } from './setup.ts';

const clock = clockOfTest();

const world = await contentSetup();

async function tick(): Promise<void> {
  clock.aheadMs += minuteMs;
  await contentPublish();
  await drainWork('content-publishing');
}

const read = async (id: string) =>
  (await world.ask(getContentPost, { params: { post_id: id } })).body.contentPost;

describe.each(platforms)('publishing on %s', (platform) => {
  it('publishes a post, returns its metrics, and deletes it if the network can', async () => {
    const { account, body } = await bodyOn(platform, world);
    const created = await world.newPost(body);
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await tick();
    }
    const post = await read(created.id);
    const network = sandbox.network(platform);

    expect(['PUBLISHED', 'SCHEDULED']).toContain(created.status);
    expect(post).toMatchObject({ status: 'PUBLISHED', failureReason: null });
    const shown = await network.posts(account.platformUserId);
    expect(shown).toHaveLength(1);
    await network.setMetrics(String(shown[0]?.id), { likes: 5 });
    const query = { includeLiveData: 'true' };
    const live = await world.ask(getContentPost, { params: { post_id: post.id }, query });
    expect(live.body.contentPost.liveMetrics).toMatchObject({ likes: 5 });
    const deleted = await world.ask(deleteContentPost, { params: { post_id: post.id } });
    const isDeleted = platform !== 'INSTAGRAM' && platform !== 'TIKTOK';
    expect(deleted).toMatchObject({ status: 200, body: { deletedAtNetwork: isDeleted } });
    expect(await network.posts(account.platformUserId)).toHaveLength(isDeleted ? 0 : 1);
  });

  it('publishes a post at most once when the network does not respond', async () => {
    const { account, body } = await bodyOn(platform, world);
    const scheduled = await world.newPost({ ...body, scheduledAt: timestamp(minuteMs / 2) });
    vi.stubEnv('NETWORK_TIMEOUT_MS', '800');
    vi.stubEnv('NETWORK_UPLOAD_TIMEOUT_MS', '800');
    await sandbox.addFault({
      service: platform.toLowerCase(),
      method: platform === 'YOUTUBE' ? 'PUT' : 'POST',
      mode: 'hang-after',
      times: 1,
    });
    for (let minutes = 0; minutes < 6; minutes += 1) {
      await tick();
    }
    const post = await read(scheduled.id);
    const onNetwork = await sandbox.network(platform).posts(account.platformUserId);

    expect(onNetwork.length).toBeLessThanOrEqual(1);
    expect(['PUBLISHED', 'FAILED']).toContain(post.status);
    expect(post.status === 'PUBLISHED').toBe(
      onNetwork.length === 1 && post.platformPostId !== null,
    );
  });
});

describe('a YouTube video that is locked to private', () => {
  it('is FAILED with what to do', async () => {
    await sandbox.network('YOUTUBE').setSettings({ isAudited: false });
    const { body } = await bodyOn('YOUTUBE', world);
    const created = await world.newPost(body);
    await tick();
    await sandbox.network('YOUTUBE').setSettings({ isAudited: true });

    expect(await read(created.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'LOCKED_PRIVATE',
      failureReason: expect.stringMatching(/locked the video to private.*audit/),
      platformPostId: null,
    });
  });
});
