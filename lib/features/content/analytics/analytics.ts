import {
  dateProblems,
  type PostFilters,
  passes,
} from '#lib/features/content/listing/post-filters.ts';
import type { ContentPost } from '#lib/features/content/posts/post.ts';
import type { PostDate } from '#lib/features/content/posts/post-writes.ts';
import { timezoneOf } from '#lib/features/organizations/organizations.ts';
import { dayMs, now, timestamp } from '#lib/platform/clock.ts';
import type { NamedRange } from '#lib/platform/day-range.ts';
import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import { rejectProblems } from '#lib/platform/errors/failures.ts';
import { dayIn, endOfDay, startOfDay } from '#lib/platform/time-zone.ts';
import type { PostMetrics } from '#lib/vendors/networks/network.ts';
import {
  audienceOf,
  engagementOf,
  noPostMetrics,
  percentOf,
} from '#lib/vendors/networks/post-metrics.ts';
import type { PostMetricName } from '#schemas/content.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';

export type AnalyticsRequest = Pick<PostFilters, 'platform' | 'socialAccountId' | 'tags'> & {
  readonly range: NamedRange;
  /** The metrics that count as engagement. */
  readonly metrics?: readonly PostMetricName[] | undefined;
};

type Counted = {
  readonly id: string;
  readonly platform: Platform;
  readonly day: string;
  readonly figures: PostMetrics;
  readonly engagement: number;
  readonly reach: number;
  readonly clicks: number;
};

const defaultRangeDays = 30;
const topPosts = 10;

/**
 * Returns the metrics of posts that were published within a date range, from their latest
 * snapshots. Costs one query of the rows in that range. Deleted posts count for 30 more days.
 *
 * @throws 400 if the range ends before it begins.
 */
export async function readAnalytics(organizationId: string, request: AnalyticsRequest) {
  const { metrics } = request;
  const timezone = await timezoneOf(organizationId);
  const range = rangeIn(timezone, request.range);
  rejectProblems(dateProblems(range));
  const rows = await query<PostDate>(contentRanges.postDates(organizationId, range.from, range.to));
  const posts = rows
    .filter((row) => row.wasPublished && passes(row, request))
    .map((row) => countRow(row, dayOfRow(row, timezone), metrics));
  const top = posts
    .toSorted((one, other) => other.engagement - one.engagement || other.reach - one.reach)
    .slice(0, topPosts);

  return {
    overview: overviewOf(posts),
    platforms: platforms
      .map((platform) => ({ platform, own: posts.filter((post) => post.platform === platform) }))
      .filter(({ own }) => own.length > 0)
      .map(({ platform, own }) => ({ platform, posts: own.length, ...sumsOf(own) })),
    topPerformingPosts: await withContent(organizationId, top),
    engagementTrends: trendsOf(posts),
  };
}

const isDay = (value: string) => value.length === 'YYYY-MM-DD'.length;

function rangeIn(timezone: string, range: NamedRange) {
  const { from, to } = range;
  const toMs = to === undefined ? now() : isDay(to) ? endOfDay(to, timezone) : Date.parse(to);
  const fromMs =
    from === undefined
      ? toMs - defaultRangeDays * dayMs
      : isDay(from)
        ? startOfDay(from, timezone)
        : Date.parse(from);

  return { ...range, from: timestamp(0, fromMs), to: timestamp(0, toMs) };
}

/** The sort key of a row begins with its date. */
function dayOfRow({ sk }: { readonly sk: string }, timezone: string): string {
  return dayIn(Date.parse(sk.slice(0, sk.indexOf('#'))), timezone);
}

function countRow(
  { id, platform, figures = noPostMetrics }: PostDate,
  day: string,
  metrics: readonly PostMetricName[] | undefined,
): Counted {
  return {
    id,
    platform,
    day,
    figures,
    engagement: engagementOf(figures, metrics),
    reach: figures.reach ?? 0,
    clicks: figures.clicks ?? 0,
  };
}

function sumOf(posts: readonly Counted[], amount: (post: Counted) => number): number {
  return posts.reduce((sum, post) => sum + amount(post), 0);
}

function sumsOf(posts: readonly Counted[]) {
  return {
    engagement: sumOf(posts, ({ engagement }) => engagement),
    reach: sumOf(posts, ({ reach }) => reach),
    clicks: sumOf(posts, ({ clicks }) => clicks),
  };
}

function overviewOf(posts: readonly Counted[]) {
  const { engagement, reach, clicks } = sumsOf(posts);
  const audience = sumOf(posts, ({ figures }) => audienceOf(figures));
  const impressions = sumOf(posts, ({ figures }) => figures.impressions ?? 0);

  return {
    totalPosts: posts.length,
    totalEngagement: engagement,
    totalReach: reach,
    totalClicks: clicks,
    averageEngagementRate: percentOf(engagement, audience),
    averageClickThroughRate: percentOf(clicks, impressions),
  };
}

/** Groups by day of publication. Omits days without posts. */
function trendsOf(posts: readonly Counted[]) {
  return [...Map.groupBy(posts, ({ day }) => day)]
    .map(([date, own]) => {
      const { engagement, reach } = sumsOf(own);

      return { date, engagement, reach };
    })
    .toSorted((one, other) => one.date.localeCompare(other.date));
}

async function withContent(organizationId: string, top: readonly Counted[]) {
  const posts = await getMany<ContentPost>(
    top.map(({ id }) => contentKeys.contentPost(organizationId, id)),
  );

  return top.map(({ id, engagement, reach, clicks }, index) => ({
    id,
    content: posts[index]?.content ?? '',
    engagement,
    reach,
    clicks,
  }));
}
