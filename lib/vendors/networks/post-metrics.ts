import type { PostMetricName } from '#schemas/content.ts';
import type { PostMetrics } from './network.ts';

/** What counts as engagement where nobody says otherwise. */
const usualEngagement: readonly PostMetricName[] = ['likes', 'comments', 'shares'];
/** What people do; to be reached is not to be engaged. */
const possibleEngagement: ReadonlySet<PostMetricName> = new Set([...usualEngagement, 'clicks']);

export const noPostMetrics: PostMetrics = {
  likes: null,
  comments: null,
  shares: null,
  clicks: null,
  reach: null,
  impressions: null,
};

/** The engagement in figures; of `counted`, where it is given, what people do. */
export function engagementOf(
  figures: PostMetrics,
  counted: readonly PostMetricName[] = usualEngagement,
): number {
  return [...new Set(counted)]
    .filter((metric) => possibleEngagement.has(metric))
    .reduce((sum, metric) => sum + (figures[metric] ?? 0), 0);
}

/** How many saw it: the people, or the times where the network does not tell the people. */
export function audienceOf({ reach, impressions }: PostMetrics): number {
  return reach ?? impressions ?? 0;
}

/** A percentage with two decimals; of nothing it is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
