import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLeadWithContact as enterLead } from '#lib/features/leads/create-lead.ts';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import { noExtraWrites } from '#lib/platform/db/write.ts';
import { getContentPerformance, listContentPosts } from '#schemas/content.ts';
import { listPipelines, updateLead } from '#schemas/leads.ts';
import { syncSocialAccount } from '#schemas/social.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { setMetrics, snapshot } from './post-metrics.ts';
import { type ContentSetup, contentSetup } from './setup.ts';

let aheadMs = 0;

beforeEach(() => {
  aheadMs = 0;
  setClock(() => Date.now() + aheadMs);
});

describe('post performance', () => {
  let world: ContentSetup;

  beforeAll(async () => {
    world = await contentSetup();
  });

  const performance = async (id: string) =>
    (await world.ask(getContentPerformance, { params: { post_id: id } })).body.performance;

  it('returns the engagement between consecutive snapshots', async () => {
    const post = await world.newPost();
    await snapshot();
    aheadMs = 5 * hourMs;
    await snapshot();
    await setMetrics(post, { likes: 6, reach: 60 });
    aheadMs = 6 * hourMs;
    await snapshot();
    await snapshot();
    const { timing, metrics } = await performance(post.id);
    const middle = new Date(Date.parse(post.publishedAt) + 5.5 * hourMs);

    expect(metrics).toMatchObject({ likes: 6, reach: 60, engagementRate: 10 });
    expect([middle.getUTCHours(), (middle.getUTCHours() + 1) % 24]).toContain(
      timing.bestPerformingHour,
    );
    expect(Math.abs(timing.averageEngagementTime - 5.5 * 3600)).toBeLessThan(60);
  });

  it('returns the current metrics before the first snapshot', async () => {
    const post = await world.newPost();
    await setMetrics(post, { likes: 4 });

    expect((await performance(post.id)).metrics.likes).toBe(4);
  });

  it('omits the current metrics while the limit of live data is used up', async () => {
    const { ask, newPost } = await contentSetup();
    const post = await newPost();
    await setMetrics(post, { likes: 4 });
    vi.stubEnv('LIVE_DATA_LIMIT_PER_ACCOUNT', '1');
    const likes = async () => {
      const { body } = await ask(getContentPerformance, { params: { post_id: post.id } });

      return body.performance.metrics.likes;
    };

    expect([await likes(), await likes()]).toEqual([4, 0]);
  });

  it('returns zeros for a post that was never published', async () => {
    const post = await world.newPost({ draft: true });
    const { metrics, timing, attribution } = await performance(post.id);

    expect(Object.values(metrics).every((value) => value === 0)).toBe(true);
    expect(timing).toEqual({
      bestPerformingHour: null,
      bestPerformingDay: null,
      averageEngagementTime: 0,
    });
    expect(attribution).toEqual({ leadsGenerated: 0, conversions: 0, revenue: 0 });
  });

  it("counts the post's leads and the value of converted ones", async () => {
    const post = await world.newPost({ draft: true });
    const [pipeline] = (await world.ask(listPipelines)).body.pipelines;
    const leads = await Promise.all(
      [500, 300, 200].map((value) =>
        enterLead(
          world.organizationId,
          { name: 'Charles', email: freshEmail('charles') },
          { pipelineId: pipeline.id, source: 'social', value, contentPostId: post.id },
          noExtraWrites,
        ),
      ),
    );
    for (const { lead } of leads.slice(0, 2)) {
      const params = { lead_id: lead.id };
      await world.ask(updateLead, { params, body: { status: 'CONVERTED' } });
    }

    expect((await performance(post.id)).attribution).toEqual({
      leadsGenerated: 3,
      conversions: 2,
      revenue: 800,
    });
  });
});

describe('demographics', () => {
  const demographicsOf = async (
    world: ContentSetup,
    socialAccountId: string,
    platform: string,
  ): Promise<unknown> => {
    const params = { account_id: socialAccountId };
    await call(syncSocialAccount, { token: world.owner.token, params, body: {} });
    const { contentPosts } = (await world.ask(listContentPosts, { query: { platform } })).body;
    const { status, body } = await world.ask(getContentPerformance, {
      params: { post_id: contentPosts[0].id },
    });
    expect(status).toBe(200);

    return body.performance.demographics;
  };
  const ageGroups = { '18-24': 60.5, '65-': 39.5 };
  const genders = { female: 55, male: 40, user_specified: 5 };

  it("are the shares from YouTube's own reports", async () => {
    const world = await contentSetup();
    const { id, platformUserId: userId } = await connectedAccount(world.organizationId, {
      platform: 'YOUTUBE',
    });
    const network = sandbox.network('YOUTUBE');
    const video = await network.makePost({ userId, text: 'An engine' });
    await network.setDemographics(video.id, { ageGroups, genders });

    expect(await demographicsOf(world, id, 'YOUTUBE')).toEqual({ ageGroups, genders });
    await sandbox.addFault({ service: 'youtube', path: 'reports', mode: 'down' });
    expect(await demographicsOf(world, id, 'YOUTUBE')).toEqual({ ageGroups: {}, genders: {} });
    await sandbox.clearFaults();
  });

  it('are empty on networks that report none', async () => {
    const world = await contentSetup();
    const { id, platformUserId: userId } = world.account;
    const network = sandbox.network('FACEBOOK');
    const post = await network.makePost({ userId, text: 'An engine' });

    await expect(network.setDemographics(post.id, { ageGroups, genders })).rejects.toThrow('400');
    expect(await demographicsOf(world, id, 'FACEBOOK')).toEqual({ ageGroups: {}, genders: {} });
  });
});
