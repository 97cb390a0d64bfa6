import type { RouteTotals } from '#lib/platform/metric-store/read-metrics.ts';
import type { SystemMetrics } from '#lib/platform/metric-store/system-metrics.ts';
import { scrapedBoundsMs } from '#lib/platform/metrics/buffer.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = { readonly name?: string; readonly labels?: Labels; readonly value: number };

function escaped(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

function line(name: string, { labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);

  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

function family(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: readonly Sample[],
): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map((sample) => line(sample.name ?? name, sample)),
  ];
}

function labelsOf(route: string): Labels {
  const [method = '', path = ''] = route.split(' ');

  return { method, route: path };
}

function histogramOf({ route, cumulative, requests, durationMs }: RouteTotals): readonly Sample[] {
  const name = 'http_request_duration_seconds';
  const labels = labelsOf(route);
  const buckets = scrapedBoundsMs.map((bound, index) => ({
    name: `${name}_bucket`,
    labels: { ...labels, le: String(bound / 1_000) },
    value: cumulative[index] ?? 0,
  }));

  return [
    ...buckets,
    { name: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: requests },
    { name: `${name}_sum`, labels, value: durationMs / 1_000 },
    { name: `${name}_count`, labels, value: requests },
  ];
}

export type Gauge = {
  readonly name: string;
  readonly help: string;
  /** A gauge without a value is omitted. */
  readonly value: number | null | undefined;
};

function formatGauge({ name, help, value }: Gauge): readonly string[] {
  return typeof value === 'number' ? family(name, 'gauge', help, [{ value }]) : [];
}

/** Formats metrics for Prometheus. Routes are path templates, without ids. */
export function formatForPrometheus(
  routes: readonly RouteTotals[],
  { cpu, memory }: SystemMetrics,
  gauges: readonly Gauge[],
): string {
  const requests = routes.flatMap(({ route, byStatus }) =>
    [...byStatus].map(([status, value]) => ({
      labels: { ...labelsOf(route), status: String(status) },
      value,
    })),
  );
  const lines = [
    ...family('http_requests_total', 'counter', 'Requests handled by all instances.', requests),
    ...family(
      'http_request_duration_seconds',
      'histogram',
      'Request duration over all instances.',
      routes.flatMap(histogramOf),
    ),
    ...[
      {
        name: 'system_cpu_usage_percent',
        help: 'CPU usage of this instance.',
        value: cpu.usage,
      },
      {
        name: 'system_memory_used_bytes',
        help: 'Used memory of this instance.',
        value: memory.used,
      },
      {
        name: 'system_memory_total_bytes',
        help: 'Total memory of this instance.',
        value: memory.total,
      },
      {
        name: 'process_resident_memory_bytes',
        help: 'Resident memory of this process.',
        value: process.memoryUsage.rss(),
      },
      ...gauges,
    ].flatMap(formatGauge),
  ];

  return `${lines.join('\n')}\n`;
}
