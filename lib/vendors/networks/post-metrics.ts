import type { PostMetricName } from '#schemas/content.ts';
import type { PostMetrics } from './network.ts';

const defaultEngagement: readonly PostMetricName[] = ['likes', 'comments', 'shares'];
/** Metrics that count actions of people. Reach and impressions are not engagement. */
const possibleEngagement: ReadonlySet<PostMetricName> = new Set([...defaultEngagement, 'clicks']);

export const noPostMetrics: PostMetrics = {
  likes: null,
  comments: null,
  shares: null,
  clicks: null,
  reach: null,
  impressions: null,
};

/** Returns the sum of the counted metrics. Metrics that are not engagement are ignored. */
export function engagementOf(
  metrics: PostMetrics,
  counted: readonly PostMetricName[] = defaultEngagement,
): number {
  return [...new Set(counted)]
    .filter((metric) => possibleEngagement.has(metric))
    .reduce((sum, metric) => sum + (metrics[metric] ?? 0), 0);
}

export function audienceOf({ reach, impressions }: PostMetrics): number {
  return reach ?? impressions ?? 0;
}

/** Returns a percentage with two decimals, or 0 if `whole` is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
