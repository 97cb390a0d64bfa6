import { hourMs, minuteMs, presentBegan } from '#lib/platform/clock.ts';
import { bucketOf } from './histogram.ts';

/** Aggregation periods of stored metrics. Each is written separately. */
export const levels = ['1m', '5m', '1h'] as const;
export type Level = (typeof levels)[number];

export const levelMs = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '1h': hourMs,
} as const satisfies Record<Level, number>;

/** Metrics of a period, from this instance or from all of them. */
export type RequestMetrics = {
  requests: number;
  /** Responses with status 5xx. */
  errors: number;
  bytes: number;
  durationMs: number;
  /** DynamoDB calls: their number, total time, and those slower than `slowQueryMs`. */
  queries: number;
  queryMs: number;
  slowQueries: number;
  readonly buckets: Map<number, number>;
};

/** Cumulative metrics of a route. `le` counts each response in the smallest bound that it fits. */
export type RouteMetrics = {
  readonly statuses: Map<number, number>;
  readonly le: Map<number, number>;
  durationMs: number;
};

export type Buffer = {
  /** Keyed by the start of the minute. */
  readonly minutes: Map<number, RequestMetrics>;
  /** Keyed by route, such as `GET /organizations/{organization_id}`. */
  readonly routes: Map<string, RouteMetrics>;
  readonly organizations: Map<string, { organizationId: string; hour: number; calls: number }>;
};

export type AnsweredRequest = {
  readonly route: string;
  readonly statusCode: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly organizationId?: string | undefined;
};

/** Histogram bounds for Prometheus, in milliseconds. Slower requests are counted in no bound. */
export const scrapedBoundsMs = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;
const slowQueryMs = 100;
const longestQueryMs = 15_000;

let buffer = emptyBuffer();

function emptyBuffer(): Buffer {
  return { minutes: new Map(), routes: new Map(), organizations: new Map() };
}

export function noRequests(): RequestMetrics {
  return {
    requests: 0,
    errors: 0,
    bytes: 0,
    durationMs: 0,
    queries: 0,
    queryMs: 0,
    slowQueries: 0,
    buckets: new Map(),
  };
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  map.set(key, made);

  return made;
}

function increment<K>(map: Map<K, number>, key: K): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function currentMinute(): RequestMetrics {
  return getOrCreate(buffer.minutes, presentBegan(minuteMs), noRequests);
}

/** Records a finished request in memory. `flushWhenDue` writes it. */
export function recordRequest(request: AnsweredRequest): void {
  const { route, statusCode, durationMs, bytes, organizationId } = request;
  const minute = currentMinute();
  minute.requests += 1;
  minute.errors += statusCode >= 500 ? 1 : 0;
  minute.bytes += bytes;
  minute.durationMs += durationMs;
  increment(minute.buckets, bucketOf(durationMs));

  const metrics = getOrCreate(buffer.routes, route, () => ({
    statuses: new Map(),
    le: new Map(),
    durationMs: 0,
  }));
  increment(metrics.statuses, statusCode);
  metrics.durationMs += durationMs;
  const bound = scrapedBoundsMs.find((bound) => durationMs <= bound);
  if (bound !== undefined) {
    increment(metrics.le, bound);
  }
  if (organizationId) {
    countCall(organizationId);
  }
}

function countCall(organizationId: string): void {
  const hour = presentBegan(hourMs);
  const calls = getOrCreate(buffer.organizations, `${organizationId} ${hour}`, () => ({
    organizationId,
    hour,
    calls: 0,
  }));
  calls.calls += 1;
}

/**
 * Records a DynamoDB call. Ignores durations above any possible timeout: Lambda froze the process
 * between requests, so the actual duration is unknown.
 */
export function recordQuery(durationMs: number): void {
  if (durationMs > longestQueryMs) {
    return;
  }
  const minute = currentMinute();
  minute.queries += 1;
  minute.queryMs += durationMs;
  minute.slowQueries += durationMs > slowQueryMs ? 1 : 0;
}

/** Returns the recorded metrics and resets the buffer. */
export function takeBuffer(): Buffer {
  const taken = buffer;
  buffer = emptyBuffer();

  return taken;
}
