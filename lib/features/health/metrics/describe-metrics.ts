import { hourMs, minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import {
  readMetrics,
  sumMetrics,
  type TimeMetrics,
} from '#lib/platform/metric-store/read-metrics.ts';
import { readSystemMetrics } from '#lib/platform/metric-store/system-metrics.ts';
import { type Level, levelMs } from '#lib/platform/metrics/buffer.ts';
import { percentileMs } from '#lib/platform/metrics/histogram.ts';
import type { Granularity, metricGroups, timeRanges } from '#schemas/health.ts';

type TimeRange = (typeof timeRanges)[number];
type MetricGroup = (typeof metricGroups)[number];

const rangeMs = {
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '4h': 4 * hourMs,
  '24h': 24 * hourMs,
} as const satisfies Record<TimeRange, number>;

export const granularityMs = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
} as const satisfies Record<Granularity, number>;

/** Returns the stored level for a granularity. 15 minutes are aggregated from 5-minute metrics. */
export function levelOf(granularity: Granularity): Level {
  return granularity === '15m' ? '5m' : granularity;
}

/** Returns the metrics of a range ending now, for one group or all. */
export async function describeMetrics(
  timeRange: TimeRange,
  granularity: Granularity,
  group?: MetricGroup,
) {
  const wants = (name: MetricGroup) => group === undefined || group === name;
  const needsRequests = wants('application') || wants('database');
  const [system, sums] = await Promise.all([
    wants('system') ? readSystemMetrics() : undefined,
    needsRequests ? readRange(timeRange, granularity) : undefined,
  ]);

  return {
    ...(system ? { system } : {}),
    ...(sums && wants('application') ? { application: describeApplication(sums) } : {}),
    ...(sums && wants('database') ? { database: describeDatabase(sums) } : {}),
  };
}

type RangeMetrics = TimeMetrics & { readonly lengthMs: number };

/**
 * Uses one-minute metrics if the step is longer than the range. Larger steps would include data
 * from before the range.
 */
async function readRange(timeRange: TimeRange, granularity: Granularity): Promise<RangeMetrics> {
  const length = rangeMs[timeRange];
  const step = granularityMs[granularity];
  const level = step > length ? '1m' : levelOf(granularity);
  const from = now() - length;
  const begin = from - (from % levelMs[level]);

  return { ...sumMetrics(await readMetrics(level, begin, now())), lengthMs: now() - begin };
}

function describeApplication({ lengthMs, ...sums }: RangeMetrics) {
  const { requests, errors, bytes, durationMs, buckets } = sums;
  const rangeSeconds = lengthMs / secondMs;

  return {
    requests: {
      total: requests,
      perMinute: requests / (lengthMs / minuteMs),
      errors,
      errorRate: requests === 0 ? 0 : (100 * errors) / requests,
    },
    responseTime: {
      average: requests === 0 ? null : durationMs / requests,
      p50: percentileMs(buckets, 0.5),
      p95: percentileMs(buckets, 0.95),
      p99: percentileMs(buckets, 0.99),
    },
    throughput: {
      requestsPerSecond: requests / rangeSeconds,
      bytesPerSecond: bytes / rangeSeconds,
    },
  };
}

function describeDatabase({ lengthMs, queries, queryMs, slowQueries }: RangeMetrics) {
  return {
    connections: { active: null, idle: null, max: null },
    queries: { total: queries, perSecond: queries / (lengthMs / secondMs), slow: slowQueries },
    performance: {
      averageQueryTime: queries === 0 ? null : queryMs / queries,
      cacheHitRatio: null,
      indexUsage: null,
    },
  };
}
