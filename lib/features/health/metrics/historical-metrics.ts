import { dayMs, now } from '#lib/platform/clock.ts';
import type { NamedRange } from '#lib/platform/day-range.ts';
import {
  readMetrics,
  sumMetrics,
  type TimeMetrics,
} from '#lib/platform/metric-store/read-metrics.ts';
import type { Granularity } from '#schemas/health.ts';
import { granularityMs, levelOf } from './describe-metrics.ts';

const maxPoints = 10_000;

function boundsOf({ from, to }: NamedRange) {
  const endMs = to ? Date.parse(to) : now();

  return { startMs: from ? Date.parse(from) : endMs - dayMs, endMs };
}

/** Returns the time at which the first step of the range begins. */
function firstStepMs(startMs: number, stepMs: number): number {
  return startMs - (((startMs % stepMs) + stepMs) % stepMs);
}

/** Returns problems if the range is reversed or has more than 10,000 steps. */
export function historyProblems(
  granularity: Granularity | undefined,
  range: NamedRange,
): readonly string[] {
  const { startMs, endMs } = boundsOf(range);
  if (range.conflicts.length > 0) {
    return range.conflicts;
  }
  if (startMs > endMs) {
    return [`${range.names.from} must not be after ${range.names.to}`];
  }
  if (granularity === undefined) {
    return [];
  }
  const stepMs = granularityMs[granularity];
  const points = Math.floor((endMs - firstStepMs(startMs, stepMs)) / stepMs) + 1;

  return points > maxPoints
    ? [`granularity is too fine: the range has more than ${maxPoints} points`]
    : [];
}

/** Returns one data point per step of the range, up to now, including steps without data. */
export async function describeHistory(granularity: Granularity, range: NamedRange) {
  const { startMs, endMs } = boundsOf(range);
  const stepMs = granularityMs[granularity];
  const firstMs = firstStepMs(startMs, stepMs);
  const lastMs = Math.min(endMs, now());
  const found = await readMetrics(levelOf(granularity), firstMs, lastMs);
  const byStep = Map.groupBy(found, ({ timeMs }) => timeMs - (timeMs % stepMs));
  const data = [];
  for (let timeMs = firstMs; timeMs <= lastMs; timeMs += stepMs) {
    data.push(pointOf(sumMetrics(byStep.get(timeMs) ?? [], timeMs)));
  }

  return {
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    granularity,
    data,
  };
}

function pointOf({ timeMs, samples, requests, durationMs, ...sums }: TimeMetrics) {
  const mean = (sum: number) => (samples === 0 ? null : sum / samples);

  return {
    timestamp: new Date(timeMs).toISOString(),
    cpu: mean(sums.cpu),
    memory: mean(sums.memory),
    disk: mean(sums.disk),
    requests,
    responseTime: requests === 0 ? null : durationMs / requests,
  };
}
