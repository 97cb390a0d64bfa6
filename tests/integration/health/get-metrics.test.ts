import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { flushWhenDue, forgetLastFlush } from '#lib/platform/metric-store/flush-metrics.ts';
import { takeBuffer } from '#lib/platform/metrics/buffer.ts';
import { getMetrics } from '#schemas/health.ts';
import { listOrganizations } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { answer, quietTime } from './recorded-requests.ts';

const caller = await newAccount();
process.env.HEALTH_LIMIT_PER_USER = '1000';

beforeEach(() => {
  vi.stubEnv('METRICS_FLUSH_SECONDS', '10');
  takeBuffer();
  forgetLastFlush();
});

const ask = (query: Record<string, string>) => call(getMetrics, { token: caller.token, query });

describe('GET /health/metrics', () => {
  it('sums requests, errors and durations of all instances in the range', async () => {
    const time = quietTime();
    setClock(() => time);
    answer(10, 200, 98);
    answer(1_000, 500, 2);
    await flushWhenDue();
    setClock(() => time + 61_000);
    const { body } = await ask({ timeRange: '5m', metric: 'application' });
    const { requests, responseTime, throughput } = body.metrics.application;

    expect(Object.keys(body.metrics)).toEqual(['application']);
    expect(requests).toMatchObject({ total: 100, errors: 2, errorRate: 2 });
    expect(responseTime.average).toBeCloseTo(29.8);
    expect(Math.abs(responseTime.p50 - 10)).toBeLessThanOrEqual(0.5);
    expect(Math.abs(responseTime.p99 - 1_000)).toBeLessThanOrEqual(50);
    expect(throughput.bytesPerSecond / throughput.requestsPerSecond).toBeCloseTo(100);
  });

  it('returns all groups for the last hour by default', async () => {
    const { body } = await ask({});

    expect(body.timeRange).toBe('1h');
    expect(Object.keys(body.metrics).sort()).toEqual(['application', 'database', 'system']);
    expect(body.metrics.database.connections).toEqual({ active: null, idle: null, max: null });
  });

  it.each(['1m', '5m', '15m', '1h'])(
    'counts a request once in steps of %s',
    async (granularity) => {
      const time = quietTime();
      setClock(() => time);
      answer(10, 200, 3);
      await flushWhenDue();
      setClock(() => time + 20 * 60_000);

      const { body } = await ask({ timeRange: '4h', metric: 'application', granularity });

      expect(body.metrics.application.requests.total).toBe(3);
    },
  );

  it.each([{ timeRange: '2h' }, { metric: 'cpu' }, { granularity: '2m' }])(
    'rejects %j',
    async (query) => {
      expect((await ask(query)).status).toBe(400);
    },
  );

  it('counts a request made through its handler', async () => {
    await call(listOrganizations, { token: caller.token });
    forgetLastFlush();
    await call(listOrganizations, { token: caller.token });
    const { body } = await ask({ timeRange: '5m' });

    expect(body.metrics.application.requests.total).toBeGreaterThanOrEqual(2);
    expect(body.metrics.database.queries.total).toBeGreaterThan(0);
    expect(body.metrics.database.performance.averageQueryTime).toBeGreaterThan(0);
  });
});
