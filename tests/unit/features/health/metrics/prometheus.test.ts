import parsePrometheus from 'parse-prometheus-text-format';
import { describe, expect, it } from 'vitest';
import { formatForPrometheus } from '#lib/features/health/metrics/prometheus.ts';
import { readSystemMetrics } from '#lib/platform/metric-store/system-metrics.ts';

const route = {
  route: 'GET /leads/{organization_id}',
  byStatus: new Map([
    [200, 7],
    [404, 3],
  ]),
  requests: 10,
  durationMs: 1_500,
  cumulative: [1, 1, 2, 3, 3, 4, 5, 6, 8, 9, 9],
};

describe('formatForPrometheus', () => {
  it('returns parsable counters by route and status', async () => {
    const families = parsePrometheus(formatForPrometheus([route], await readSystemMetrics(), []));
    const requests = families.find(({ name }) => name === 'http_requests_total');

    expect(requests).toMatchObject({ type: 'COUNTER', help: expect.stringMatching(/./) });
    expect(requests?.metrics).toEqual([
      { value: '7', labels: { method: 'GET', route: '/leads/{organization_id}', status: '200' } },
      { value: '3', labels: { method: 'GET', route: '/leads/{organization_id}', status: '404' } },
    ]);
  });

  it('returns a histogram with cumulative buckets up to +Inf', async () => {
    const text = formatForPrometheus([route], await readSystemMetrics(), []);
    const name = 'http_request_duration_seconds';
    const histogram = parsePrometheus(text).find((family) => family.name === name);
    const counts = Object.entries(histogram?.metrics[0]?.buckets ?? {})
      .map(([bound, count]) => [Number(bound.replace('+Inf', 'Infinity')), Number(count)] as const)
      .sort(([one], [other]) => one - other)
      .map(([, count]) => count);

    expect(histogram?.type).toBe('HISTOGRAM');
    expect(counts).toEqual([...route.cumulative, 10]);
    expect(text).toContain(`${name}_sum{method="GET",route="/leads/{organization_id}"} 1.5\n`);
    expect(text).toContain(`${name}_count{method="GET",route="/leads/{organization_id}"} 10\n`);
  });

  it('escapes special characters in labels', async () => {
    const odd = { ...route, route: 'GET /a"b\\c\nd' };
    const text = formatForPrometheus([odd], await readSystemMetrics(), []);

    expect(text).toContain('route="/a\\"b\\\\c\\nd"');
    expect(text.split('\n').every((line) => line === '' || /^(#|[a-z_]+[{ ])/.test(line))).toBe(
      true,
    );
  });
});
