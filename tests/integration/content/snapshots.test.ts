import { beforeEach, describe, expect, it } from 'vitest';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import { getContentAnalytics, getContentPerformance } from '#schemas/content.ts';
import { sandbox } from '#tests/support/mails.ts';
import { setMetrics, snapshot } from './post-metrics.ts';
import { contentSetup } from './setup.ts';

let aheadMs = 0;

beforeEach(() => {
  aheadMs = 0;
  setClock(() => Date.now() + aheadMs);
});

describe('a snapshot', () => {
  it('is taken later when the network is down', async () => {
    const world = await contentSetup();
    const post = await world.newPost();
    await setMetrics(post, { likes: 9 });
    await sandbox.addFault({ service: 'facebook', mode: 'down' });
    await snapshot();
    await sandbox.clearFaults();
    aheadMs = 2 * hourMs;
    await snapshot();

    const analytics = await world.ask(getContentAnalytics);
    expect(analytics.body.analytics.overview.totalEngagement).toBe(9);
  });

  it('counts nothing twice when two are taken concurrently', async () => {
    const world = await contentSetup();
    const post = await world.newPost();
    await snapshot();
    await setMetrics(post, { likes: 12 });
    aheadMs = hourMs;
    await Promise.all([snapshot(), snapshot(), snapshot()]);
    const answer = await world.ask(getContentPerformance, { params: { post_id: post.id } });

    expect(answer.body.performance.metrics.likes).toBe(12);
    expect(answer.body.performance.timing.averageEngagementTime).toBeGreaterThan(0);
  });
});
