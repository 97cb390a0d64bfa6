import { hourAndWeekday } from '#lib/platform/time-zone.ts';

/**
 * The distribution of a post's engagement: by hour and weekday in the organization's time zone, and
 * by time since publication. Aggregated over all snapshots, so its size does not depend on their
 * number.
 */
export type Timing = {
  readonly hours: Readonly<Record<string, number>>;
  readonly days: Readonly<Record<string, number>>;
  readonly engagement: number;
  /** Sum of seconds since publication, weighted by engagement. */
  readonly weightedSeconds: number;
};

export const noTiming: Timing = { hours: {}, days: {}, engagement: 0, weightedSeconds: 0 };

const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

type Gain = {
  readonly engagement: number;
  readonly publishedAtMs: number;
  /** Times of the two snapshots between which the engagement happened. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly timezone: string;
};

const maxGapForHourMs = 3 * 3_600_000;

/** Adds the engagement between two snapshots. Ignores a decrease. */
export function addGain(timing: Timing, gain: Gain): Timing {
  const { engagement, publishedAtMs, fromMs, toMs, timezone } = gain;
  if (engagement <= 0) {
    return timing;
  }
  const middleMs = (fromMs + toMs) / 2;
  const { hour, weekday } = hourAndWeekday(middleMs, timezone);
  const seconds = Math.max(0, (middleMs - publishedAtMs) / 1000);
  const isHourKnown = toMs - fromMs <= maxGapForHourMs;

  return {
    hours: isHourKnown ? added(timing.hours, String(hour), engagement) : timing.hours,
    days: added(timing.days, String(weekday), engagement),
    engagement: timing.engagement + engagement,
    weightedSeconds: timing.weightedSeconds + Math.round(seconds * engagement),
  };
}

function added(
  amounts: Readonly<Record<string, number>>,
  name: string,
  amount: number,
): Readonly<Record<string, number>> {
  return { ...amounts, [name]: (amounts[name] ?? 0) + amount };
}

function best(amounts: Readonly<Record<string, number>>): number | null {
  const [first] = Object.entries(amounts).toSorted(
    ([one, oneAmount], [other, otherAmount]) =>
      otherAmount - oneAmount || Number(one) - Number(other),
  );

  return first ? Number(first[0]) : null;
}

export function presentTiming({ hours, days, engagement, weightedSeconds }: Timing) {
  const day = best(days);

  return {
    bestPerformingHour: best(hours),
    bestPerformingDay: day === null ? null : (weekdays[day] ?? null),
    averageEngagementTime: engagement === 0 ? 0 : Math.round(weightedSeconds / engagement),
  };
}
