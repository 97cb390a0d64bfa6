import { beforeAll, describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { noPostMetrics } from '#lib/vendors/networks/post-metrics.ts';
import { deleteContentPost, getContentAnalytics } from '#schemas/content.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { metered } from '#tests/support/metered.ts';
import { setMetrics, snapshot } from './post-metrics.ts';
import { type ContentSetup, contentSetup } from './setup.ts';

type Part = ReadonlyArray<Readonly<Record<'engagement' | 'reach', number>>>;

function sumOf(part: Part, name: 'engagement' | 'reach'): number {
  return part.reduce((sum, entry) => sum + entry[name], 0);
}

describe('content analytics', () => {
  let world: ContentSetup;
  let best: { readonly id: string; readonly platformPostId: string };

  beforeAll(async () => {
    world = await contentSetup();
    best = await world.newPost({ tags: ['spring'], content: 'Best' });
    const other = await world.newPost({ content: 'Other' });
    await world.newPost({ scheduledAt: '2035-01-01T00:00:00Z', content: 'Not yet' });
    await setMetrics(best, {
      likes: 10,
      comments: 5,
      shares: 2,
      clicks: 20,
      reach: 200,
      impressions: 400,
    });
    await setMetrics(other, {
      likes: 1,
      comments: 0,
      shares: 0,
      clicks: 0,
      reach: 100,
      impressions: 100,
    });
    await snapshot();
  });

  const analytics = async (query: Readonly<Record<string, string>> = {}) => {
    const answer = await world.ask(getContentAnalytics, { query });
    expect(answer.status).toBe(200);

    return answer.body.analytics;
  };

  it('groups by days in the time zone of the organization', async () => {
    const own = await contentSetup();
    await own.ask(updateOrganization, { body: { timezone: 'Pacific/Kiritimati' } });
    setClock(() => Date.parse('2026-01-15T12:00:00.000Z'));
    await own.newPost();
    const dates = async (query: Readonly<Record<string, string>>) => {
      const { body } = await own.ask(getContentAnalytics, { query });

      return body.analytics.engagementTrends.map(({ date }: { date: string }) => date);
    };

    expect(await dates({ dateFrom: '2026-01-16', dateTo: '2026-01-16' })).toEqual(['2026-01-16']);
    expect(await dates({ dateFrom: '2026-01-15', dateTo: '2026-01-15' })).toEqual([]);
  });

  it('sums the latest snapshots of the published posts', async () => {
    const { overview, platforms, topPerformingPosts, engagementTrends } = await analytics();

    expect(overview).toEqual({
      totalPosts: 2,
      totalEngagement: 18,
      totalReach: 300,
      totalClicks: 20,
      averageEngagementRate: 6,
      averageClickThroughRate: 4,
    });
    expect(platforms).toEqual([
      { platform: 'FACEBOOK', posts: 2, engagement: 18, reach: 300, clicks: 20 },
    ]);
    expect(topPerformingPosts.map(({ content }: { content: string }) => content)).toEqual([
      'Best',
      'Other',
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect(engagementTrends).toEqual([{ date: today, engagement: 18, reach: 300 }]);
  });

  it.each([
    ['likes', 11],
    ['likes,clicks', 31],
    ['reach,impressions', 0],
  ])('counts the requested metrics as engagement: %s', async (metrics, expected) => {
    expect((await analytics({ metrics })).overview.totalEngagement).toBe(expected);
  });

  it.each([
    [{ from: '9999-12-31' }, 'from must not be after to'],
    [{ dateFrom: '9999-12-31' }, 'dateFrom must not be after dateTo'],
    [{ dateFrom: '2026-01-02', dateTo: '2026-01-01' }, 'dateFrom must not be after dateTo'],
    [{ from: '2026-01-02', dateTo: '2026-01-01' }, 'from must not be after dateTo'],
    [{ to: '2026-01-02', dateTo: '2026-01-02' }, 'to cannot be combined with dateTo'],
  ])('rejects the range %j', async (query, message) => {
    const answer = await world.ask(getContentAnalytics, { query });

    expect([answer.status, answer.body.message]).toEqual([400, [message]]);
  });

  it('has the same totals in all parts', async () => {
    const own = await contentSetup();
    const published = [
      ['FACEBOOK', '2026-01-05T12:00:00.000Z', 1],
      ['TWITTER', '2026-01-05T12:00:00.000Z', 2],
      ['TWITTER', '2026-01-06T12:00:00.000Z', 4],
    ] as const;
    for (const [platform, date, count] of published) {
      const id = newId();
      const figures = { ...noPostMetrics, likes: count, reach: count };
      const row = { id, platform, wasPublished: true, tags: [], figures };
      await write(put(keys.postDate(own.organizationId, date, id), row));
    }
    const query = { dateFrom: '2026-01-01', dateTo: '2026-01-31' };
    const { overview, ...parts } = (await own.ask(getContentAnalytics, { query })).body.analytics;

    expect(overview).toMatchObject({ totalPosts: 3, totalEngagement: 7, totalReach: 7 });
    expect(Object.keys(parts)).toEqual(['platforms', 'topPerformingPosts', 'engagementTrends']);
    for (const part of Object.values(parts) as Part[]) {
      expect(sumOf(part, 'engagement')).toBe(7);
      expect(sumOf(part, 'reach')).toBe(7);
    }
  });

  it('rejects an unknown metric', async () => {
    const answer = await world.ask(getContentAnalytics, { query: { metrics: 'likes,followers' } });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'metrics.1 must be one of the following values: likes, comments, shares, clicks, reach, impressions',
    ]);
  });

  it.each([
    [{ tags: 'spring' }, 1],
    [{ platform: 'TWITTER' }, 0],
    [{ dateTo: '2020-01-01' }, 0],
  ])('filters by %o', async (query, expected) => {
    expect((await analytics(query)).overview.totalPosts).toBe(expected);
  });

  it('costs the same however many posts lie outside the requested range', async () => {
    const { result: before, units: unitsBefore } = await metered(() => analytics());
    const old = Array.from({ length: 300 }, (_, number) => number);
    await atMostAtOnce(16, old, (number) => {
      const date = `2020-01-01T00:00:00.${String(number).padStart(3, '0')}Z`;
      const key = keys.postDate(world.organizationId, date, newId());

      return write(put(key, { id: newId(), wasPublished: true, tags: ['a tag of some length'] }));
    });
    const { result: after, units: unitsAfter } = await metered(() => analytics());

    expect(after).toEqual(before);
    expect(unitsAfter).toBe(unitsBefore);
    const all = await metered(() => analytics({ dateFrom: '2019-01-01' }));
    expect(all.units).toBeGreaterThan(unitsAfter);
  });

  it('keeps counting a deleted post in its time range', async () => {
    await world.ask(deleteContentPost, { params: { post_id: best.id } });

    expect((await analytics()).overview).toMatchObject({ totalPosts: 2, totalEngagement: 18 });
  });
});
