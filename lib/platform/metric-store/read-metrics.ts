import { dayMs, hourMs, now } from '#lib/platform/clock.ts';
import type { KeyRange } from '#lib/platform/db/keys/key.ts';
import { routeOfMetrics, systemRanges } from '#lib/platform/db/keys/system.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  type Level,
  levelMs,
  noRequests,
  type RequestMetrics,
  scrapedBoundsMs,
} from '#lib/platform/metrics/buffer.ts';

/** Metrics of one period over all instances. `cpu`, `memory` and `disk` are sums of `samples`. */
export type TimeMetrics = RequestMetrics & {
  readonly timeMs: number;
  samples: number;
  cpu: number;
  memory: number;
  disk: number;
};

type StoredMetrics = { readonly pk: string; readonly sk: string } & Readonly<
  Record<string, number | string>
>;

/** Older metrics have expired. */
const retentionMs = 35 * dayMs;

function partitions(level: Level, fromMs: number, toMs: number): readonly KeyRange[] {
  const first = Math.max(fromMs, now() - retentionMs - dayMs);
  const last = Math.min(toMs, now() + hourMs);
  const days: KeyRange[] = [];
  for (let dayStart = first - (first % dayMs); dayStart <= last; dayStart += dayMs) {
    const from = new Date(Math.max(first, dayStart)).toISOString();
    const to = new Date(Math.min(last, dayStart + dayMs - 1)).toISOString();
    days.push(systemRanges.metrics(level, from, to));
  }

  return days;
}

/**
 * Returns the metrics of all periods that start within the bounds, oldest first. Periods without
 * requests are missing. The cost depends only on the length of the range.
 */
export async function readMetrics(
  level: Level,
  fromMs: number,
  toMs: number,
): Promise<readonly TimeMetrics[]> {
  const aligned = fromMs - (fromMs % levelMs[level]);
  const days = await Promise.all(
    partitions(level, aligned, toMs).map((range) => query<StoredMetrics>(range)),
  );

  return days.flat().map(parseMetrics);
}

function parseMetrics(stored: StoredMetrics): TimeMetrics {
  const number = (name: string) => Number(stored[name] ?? 0);
  const buckets = Object.entries(stored).flatMap(([name, times]): [number, number][] =>
    /^b\d+$/.test(name) ? [[Number(name.slice(1)), Number(times)]] : [],
  );

  return {
    timeMs: Date.parse(stored.sk),
    requests: number('requests'),
    errors: number('errors'),
    bytes: number('bytes'),
    durationMs: number('durationMs'),
    queries: number('queries'),
    queryMs: number('queryMs'),
    slowQueries: number('slowQueries'),
    samples: number('samples'),
    cpu: number('cpu'),
    memory: number('memory'),
    disk: number('disk'),
    buckets: new Map(buckets),
  };
}

export function sumMetrics(all: readonly TimeMetrics[], timeMs = 0): TimeMetrics {
  const sum: TimeMetrics = { ...noRequests(), timeMs, samples: 0, cpu: 0, memory: 0, disk: 0 };
  for (const { timeMs: _, buckets, ...numbers } of all) {
    for (const [name, value] of Object.entries(numbers)) {
      sum[name as keyof typeof numbers] += value;
    }
    for (const [bucket, times] of buckets) {
      sum.buckets.set(bucket, (sum.buckets.get(bucket) ?? 0) + times);
    }
  }

  return sum;
}

/** Cumulative metrics of a route over all instances. */
export type RouteTotals = {
  /** For example `GET /organizations/{organization_id}`. */
  readonly route: string;
  readonly byStatus: ReadonlyMap<number, number>;
  readonly requests: number;
  readonly durationMs: number;
  /** For each of `scrapedBoundsMs`, the number of requests within that bound. */
  readonly cumulative: readonly number[];
};

export async function readRouteTotals(): Promise<readonly RouteTotals[]> {
  const stored = await query<StoredMetrics>(systemRanges.routeMetrics());

  return stored.map(parseRoute);
}

function parseRoute(stored: StoredMetrics): RouteTotals {
  const byStatus = new Map(
    Object.entries(stored).flatMap(([name, times]): [number, number][] =>
      /^s\d{3}$/.test(name) ? [[Number(name.slice(1)), Number(times)]] : [],
    ),
  );
  let sum = 0;

  return {
    route: routeOfMetrics(stored),
    byStatus,
    requests: [...byStatus.values()].reduce((total, times) => total + times, 0),
    durationMs: Number(stored.durationMs ?? 0),
    cumulative: scrapedBoundsMs.map((bound) => {
      sum += Number(stored[`le${bound}`] ?? 0);

      return sum;
    }),
  };
}
