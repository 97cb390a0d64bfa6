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

function gauge(name: string, help: string, value: number | null): readonly string[] {
  return value === null ? [] : family(name, 'gauge', help, [{ value }]);
}

/** Formats metrics for Prometheus. Routes are path templates, without ids. */
export function formatForPrometheus(
  routes: readonly RouteTotals[],
  { cpu, memory }: SystemMetrics,
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
    ...gauge('system_cpu_usage_percent', 'CPU usage of this instance.', cpu.usage),
    ...gauge('system_memory_used_bytes', 'Used memory of this instance.', memory.used),
    ...gauge('system_memory_total_bytes', 'Total memory of this instance.', memory.total),
    ...gauge(
      'process_resident_memory_bytes',
      'Resident memory of this process.',
      process.memoryUsage.rss(),
    ),
  ];

  return `${lines.join('\n')}\n`;
}
