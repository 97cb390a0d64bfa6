import { describe, expect, it } from 'vitest';
import {
  type NewAccountMetrics,
  planAccountMetrics,
} from '#lib/features/social/metrics/account-metrics.ts';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { getSocialAccountStats } from '#schemas/social.ts';
import { call } from '#tests/support/api.ts';
import { withAccount } from './stored-account.ts';

describe('account metrics', () => {
  const at = (date: string) => setClock(() => Date.parse(`${date}T12:00:00.000Z`));

  async function measured(days: Readonly<Record<string, NewAccountMetrics>>) {
    const world = await withAccount();
    for (const [date, metrics] of Object.entries(days)) {
      at(date);
      await write(...planAccountMetrics(world.account, {}, metrics));
    }
    setClock();
    const stats = (query = {}) =>
      call(getSocialAccountStats, { params: world.params, query, token: world.token });

    return { ...world, stats };
  }

  it('cover the days of the range, with growth in percent from the first to the last', async () => {
    const topPost = { id: 'p2', engagement: 40, reach: 200 };
    const { stats } = await measured({
      '2026-01-01': { followers: 1, engagement: 1, reach: 1 },
      '2026-01-02': { followers: 100, engagement: 50, reach: 1_000, clicks: 10, posts: 4 },
      '2026-01-03': { followers: 110, topPost: { id: 'p1', engagement: 9, reach: 20 } },
      '2026-01-04': { followers: 125, engagement: 40, reach: 400, clicks: 8, posts: 6, topPost },
      '2026-01-05': { followers: 999, engagement: 999, reach: 999 },
    });
    const { body } = await stats({ dateFrom: '2026-01-02', dateTo: '2026-01-04' });

    expect(body.stats).toMatchObject({
      dateRange: { from: '2026-01-02T00:00:00.000Z', to: '2026-01-04T23:59:59.999Z' },
      overview: {
        totalPosts: 6,
        totalFollowers: 125,
        totalEngagement: 40,
        totalReach: 400,
        totalClicks: 8,
      },
      engagement: {
        averageEngagementRate: 7.5,
        averageClickThroughRate: 1.5,
        topEngagingPost: topPost,
      },
      growth: { followerGrowth: 25, engagementGrowth: -20, reachGrowth: -60 },
      trends: [
        { date: '2026-01-02', followers: 100, engagement: 50, reach: 1_000 },
        { date: '2026-01-03', followers: 110, engagement: 0, reach: 0 },
        { date: '2026-01-04', followers: 125, engagement: 40, reach: 400 },
      ],
    });
  });

  it('are zeros without data, and growth from zero is 100 percent', async () => {
    const { stats } = await measured({
      '2026-01-01': { followers: 0 },
      '2026-01-02': { followers: 7 },
    });

    const { body } = await stats({ from: '2026-01-01', to: '2026-01-02' });
    expect((await stats({ dateFrom: '2026-01-01', dateTo: '2026-01-02' })).body).toEqual(body);
    expect(body.stats.growth).toEqual({ followerGrowth: 100, engagementGrowth: 0, reachGrowth: 0 });
    const empty = (await stats({ dateFrom: '2025-01-01', dateTo: '2025-01-02' })).body.stats;
    expect(empty.trends).toEqual([]);
    expect(empty.overview.totalFollowers).toBe(0);
    expect(empty.engagement.topEngagingPost).toBeNull();
  });

  it('cover at most 90 days, and the last 30 by default', async () => {
    const { stats } = await measured({});
    const today = new Date().toISOString().slice(0, 10);
    const monthAgo = new Date(Date.parse(today) - 29 * dayMs).toISOString();

    expect((await stats({ dateFrom: '2026-01-01', dateTo: '2026-03-31' })).status).toBe(200);
    const tooLong = await stats({ dateFrom: '2026-01-01', dateTo: '2026-04-01' });
    expect(tooLong.status).toBe(400);
    expect(tooLong.body.message).toEqual(['dateFrom must not be more than 90 days before dateTo']);
    expect((await stats({ dateFrom: '2026-02-01', dateTo: '2026-01-01' })).body.message).toEqual([
      'dateTo must not be before dateFrom',
    ]);
    expect((await stats({ from: '2026-02-01', to: '2026-01-01' })).body.message).toEqual([
      'to must not be before from',
    ]);
    expect((await stats({ from: '2026-01-01', dateFrom: '2026-01-01' })).body.message).toEqual([
      'from cannot be combined with dateFrom',
    ]);
    expect((await stats()).body.stats.dateRange).toEqual({
      from: monthAgo,
      to: `${today}T23:59:59.999Z`,
    });
  });

  it('of one day are the last snapshot of each kind', async () => {
    const { account, stats } = await measured({ '2026-01-01': { followers: 5, posts: 2 } });
    at('2026-01-01');
    await write(...planAccountMetrics(account, {}, { followers: 6 }));
    setClock();
    const { body } = await stats({ dateFrom: '2026-01-01', dateTo: '2026-01-01' });

    expect(body.stats.overview).toMatchObject({ totalFollowers: 6, totalPosts: 2 });
    expect(body.stats.trends).toHaveLength(1);
  });
});
