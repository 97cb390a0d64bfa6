import { expect, it } from 'vitest';
import { toNewAccountMetrics } from '#lib/features/social/metrics/fetch-metrics.ts';

it('toNewAccountMetrics returns a reach of 0 for the top post when the network reports only impressions', () => {
  const likes = { likes: 5, comments: null, shares: null, clicks: null };
  const posts = [
    {
      platformPostId: '1',
      text: 'Engines',
      url: null,
      publishedAt: '2026-01-15T09:30:00.000Z',
      metrics: { ...likes, reach: null, impressions: 200 },
    },
  ];

  const { topPost } = toNewAccountMetrics({ metrics: undefined, posts }, true);

  expect(topPost).toEqual({ id: '1', engagement: 5, reach: 0 });
});
