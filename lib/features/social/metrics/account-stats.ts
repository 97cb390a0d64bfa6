import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, timestamp } from '#lib/platform/clock.ts';
import type { DayRange, NamedRange } from '#lib/platform/day-range.ts';
import { type DailyAccountMetrics, dayOf, listAccountMetrics } from './account-metrics.ts';

const maxDays = 90;
const defaultDays = 30;

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value);

/** A plain date means the start of that day. */
function beginningOf(value: string): string {
  return new Date(value).toISOString();
}

/** A plain date means the end of that day. */
function endOf(value: string): string {
  return isDay(value) ? `${value}T23:59:59.999Z` : new Date(value).toISOString();
}

/**
 * Returns a date range. By default, it ends today and spans 30 days. Check `rangeProblems` first.
 */
export function resolveRange(requested: Pick<NamedRange, 'from' | 'to'>): DayRange {
  const to = requested.to ? endOf(requested.to) : endOf(dayOf(timestamp()));
  const defaultFrom = () =>
    dayOf(new Date(Date.parse(to) - (defaultDays - 1) * dayMs).toISOString());

  return { from: beginningOf(requested.from ?? defaultFrom()), to };
}

/** Returns problems if a range ends before it begins, or is longer than 90 days. */
export function rangeProblems({ names, conflicts, ...requested }: NamedRange): readonly string[] {
  const { from, to } = resolveRange(requested);
  if (conflicts.length > 0) {
    return conflicts;
  }
  if (from > to) {
    return [`${names.to} must not be before ${names.from}`];
  }

  return Date.parse(to) - Date.parse(from) > maxDays * dayMs
    ? [`${names.from} must not be more than ${maxDays} days before ${names.to}`]
    : [];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns the growth in percent. Growth from zero counts as 100. */
function growth(first: number, last: number): number {
  if (first === 0) {
    return last === 0 ? 0 : 100;
  }

  return rounded(((last - first) / first) * 100);
}

/** Compares the last day with the first, among days that have the metric. */
function growthOf(
  days: readonly DailyAccountMetrics[],
  name: 'followers' | 'engagement' | 'reach',
) {
  const known = days.flatMap((day) => day[name] ?? []);

  return growth(known[0] ?? 0, known.at(-1) ?? 0);
}

function averageRate(days: readonly DailyAccountMetrics[], name: 'engagement' | 'clicks'): number {
  const rates = days.flatMap((day) =>
    day.reach && day[name] !== undefined ? [(day[name] / day.reach) * 100] : [],
  );

  return rates.length === 0
    ? 0
    : rounded(rates.reduce((sum, rate) => sum + rate, 0) / rates.length);
}

function latest<Name extends keyof DailyAccountMetrics>(
  days: readonly DailyAccountMetrics[],
  name: Name,
): DailyAccountMetrics[Name] | undefined {
  return days.findLast((day) => day[name] !== undefined)?.[name];
}

function topPostOf(days: readonly DailyAccountMetrics[]) {
  const posts = days.flatMap(({ topPost }) => topPost ?? []);

  return posts.toSorted((one, other) => other.engagement - one.engagement)[0];
}

function summarize(days: readonly DailyAccountMetrics[]) {
  return {
    overview: {
      totalPosts: latest(days, 'posts') ?? 0,
      totalFollowers: latest(days, 'followers') ?? 0,
      totalEngagement: latest(days, 'engagement') ?? 0,
      totalReach: latest(days, 'reach') ?? 0,
      totalClicks: latest(days, 'clicks') ?? 0,
    },
    engagement: {
      averageEngagementRate: averageRate(days, 'engagement'),
      averageClickThroughRate: averageRate(days, 'clicks'),
      topEngagingPost: topPostOf(days),
    },
    growth: {
      followerGrowth: growthOf(days, 'followers'),
      engagementGrowth: growthOf(days, 'engagement'),
      reachGrowth: growthOf(days, 'reach'),
    },
    trends: days.map(({ date, followers = 0, engagement = 0, reach = 0 }) => ({
      date,
      followers,
      engagement,
      reach,
    })),
  };
}

/**
 * Returns an account's metrics over a range of days, calculated from its daily snapshots.
 *
 * @throws 404 if the organization does not have the account.
 */
export async function readAccountStats(
  organizationId: string,
  accountId: string,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const [{ platform }, days] = await Promise.all([
    requireSocialAccount(organizationId, accountId),
    listAccountMetrics(organizationId, accountId, dayOf(from), dayOf(to)),
  ]);

  return {
    socialAccountId: accountId,
    platform,
    dateRange: { from, to },
    ...summarize(days),
  };
}
