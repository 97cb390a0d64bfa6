import { epochSeconds, now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { systemKeys } from '#lib/platform/db/keys/system.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import {
  type Buffer,
  levelMs,
  levels,
  type RequestMetrics,
  type RouteMetrics,
  takeBuffer,
} from '#lib/platform/metrics/buffer.ts';
import { emitMetrics } from '#lib/platform/metrics/embedded-metrics.ts';
import { readSystemMetrics, type SystemMetrics } from './system-metrics.ts';

const retentionSeconds = 35 * 86_400;
const callsRetentionSeconds = 2 * 86_400;
/** Limits the time that writing the metrics adds to a request. */
const maxFlushWaitMs = 500;

let flushedAt = Number.NEGATIVE_INFINITY;

/**
 * Writes the buffered metrics if the interval has passed. An instance's first request writes
 * immediately, because it may be the only one. Metrics that cannot be written are lost: a few
 * seconds of one instance.
 */
export async function flushWhenDue(): Promise<void> {
  const intervalMs = config.metricsFlushSeconds * secondMs;
  if (intervalMs === 0 || now() - flushedAt < intervalMs) {
    return;
  }
  flushedAt = now();
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, maxFlushWaitMs).unref();
  });
  await Promise.race([flush(takeBuffer()), patience]);
}

/** Makes the next request write the metrics. For tests. */
export function forgetLastFlush(): void {
  flushedAt = Number.NEGATIVE_INFINITY;
}

async function flush(buffer: Buffer): Promise<void> {
  const system = await readSystemMetrics();
  emit(buffer);
  const written = await Promise.allSettled([
    ...[...buffer.minutes].flatMap(([minute, metrics]) => addToTimes(minute, metrics, system)),
    ...[...buffer.routes].map(([route, metrics]) => addToRoute(route, metrics)),
    ...[...buffer.organizations.values()].map(({ organizationId, hour, calls }) =>
      add(
        systemKeys.apiCalls(organizationId, new Date(hour).toISOString()),
        { calls },
        epochSeconds(callsRetentionSeconds),
      ),
    ),
  ]);
  const failed = written.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    logger.warn('Metrics were not written', { failure: describeFailure(failed.reason) });
  }
}

function emit({ minutes }: Buffer): void {
  const sum = (of: (metrics: RequestMetrics) => number) =>
    [...minutes.values()].reduce((total, metrics) => total + of(metrics), 0);
  const requests = sum((metrics) => metrics.requests);
  if (requests === 0) {
    return;
  }
  emitMetrics({
    Requests: { unit: 'Count', value: requests },
    ServerErrors: { unit: 'Count', value: sum((metrics) => metrics.errors) },
    ResponseTime: {
      unit: 'Milliseconds',
      value: rounded(sum((metrics) => metrics.durationMs) / requests),
    },
  });
}

/** Adds the metrics to every aggregation level. No level depends on another one. */
function addToTimes(minute: number, metrics: RequestMetrics, system: SystemMetrics) {
  const { buckets, ...sums } = metrics;
  const amounts = {
    ...roundedValues(sums),
    ...Object.fromEntries([...buckets].map(([bucket, times]) => [`b${bucket}`, times])),
    ...samplesOf(system),
  };

  return levels.map((level) => {
    const time = new Date(minute - (minute % levelMs[level])).toISOString();

    return add(systemKeys.metrics(level, time), amounts, epochSeconds(retentionSeconds));
  });
}

function samplesOf({ cpu, memory, disk }: SystemMetrics): Record<string, number> {
  return {
    samples: 1,
    cpu: cpu.usage ?? 0,
    memory: memory.percentage ?? 0,
    disk: disk.percentage ?? 0,
  };
}

/** Route counters never expire, because scrapers expect counters that never decrease. */
function addToRoute(route: string, { statuses, le, durationMs }: RouteMetrics) {
  return add(systemKeys.routeMetrics(route), {
    durationMs: rounded(durationMs),
    ...Object.fromEntries([...statuses].map(([status, times]) => [`s${status}`, times])),
    ...Object.fromEntries([...le].map(([bound, times]) => [`le${bound}`, times])),
  });
}

function add(key: Key, amounts: Readonly<Record<string, number>>, expiresAtSeconds?: number) {
  return write(change(key, { add: amounts, set: { expiresAtSeconds }, orCreate: true }));
}

function roundedValues(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, rounded(value)]));
}

/** Rounded, because sums of long fractions would exceed DynamoDB's number precision. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
