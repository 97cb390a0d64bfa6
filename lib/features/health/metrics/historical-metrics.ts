import { dayMs, now } from '#lib/platform/clock.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import {
  readMetrics,
  sumMetrics,
  type TimeMetrics,
} from '#lib/platform/metric-store/read-metrics.ts';
import type { QueryOf } from '#schemas/contract.ts';
import type { getHistoricalMetrics } from '#schemas/health.ts';
import { granularityMs, levelOf } from './describe-metrics.ts';

const maxPoints = 10_000;

type Range = QueryOf<typeof getHistoricalMetrics>;

/**
 * Returns one data point per step of the range, up to now, including steps without data.
 *
 * @throws 400 if the range is reversed or has more than 10,000 steps.
 */
export async function describeHistory({ granularity, ...range }: Range) {
  const endMs = range.end ? Date.parse(range.end) : now();
  const startMs = range.start ? Date.parse(range.start) : endMs - dayMs;
  if (startMs > endMs) {
    throw badRequest('start must not be after end');
  }
  const stepMs = granularityMs[granularity];
  const firstMs = startMs - (((startMs % stepMs) + stepMs) % stepMs);
  if (Math.floor((endMs - firstMs) / stepMs) + 1 > maxPoints) {
    throw badRequest(`granularity is too fine: the range has more than ${maxPoints} points`);
  }
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
