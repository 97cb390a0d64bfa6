import parsePrometheus from 'parse-prometheus-text-format';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs, hourMs, now, setClock } from '#lib/platform/clock.ts';
import { flushWhenDue, forgetLastFlush } from '#lib/platform/metric-store/flush-metrics.ts';
import { readMetrics, sumMetrics } from '#lib/platform/metric-store/read-metrics.ts';
import { recordRequest, takeBuffer } from '#lib/platform/metrics/buffer.ts';
import {
  getHistoricalMetrics,
  getMetrics,
  getOrganizationHealth,
  getScrapedMetrics,
} from '#schemas/health.ts';
import { listOrganizations } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

let caller: Account;

beforeAll(async () => {
  caller = await newAccount();
  process.env.HEALTH_LIMIT_PER_USER = '1000';
});
afterAll(() => setClock());
beforeEach(() => {
  vi.stubEnv('METRICS_FLUSH_SECONDS', '10');
  takeBuffer();
  forgetLastFlush();
});
afterEach(() => {
  setClock();
  vi.unstubAllEnvs();
});

/** Returns a time per test at which nothing else happens. */
let minutesAgo = 24 * 60 * 20;
function quietTime(): number {
  minutesAgo -= 24 * 60;
  const moment = Date.now() - minutesAgo * 60_000;

  return moment - (moment % hourMs);
}

const route = 'GET /leads/{organization_id}/{lead_id}';

function answer(durationMs: number, statusCode = 200, times = 1): void {
  for (let time = 0; time < times; time += 1) {
    recordRequest({ route, statusCode, durationMs, bytes: 100 });
  }
}

async function metricsAt(ms: number) {
  return sumMetrics(await readMetrics('1m', ms, ms + 59_999));
}

const ask = (query: Record<string, string>) => call(getMetrics, { token: caller.token, query });
const history = (query: Record<string, string>) =>
  call(getHistoricalMetrics, { token: caller.token, query });

describe("an instance's metrics", () => {
  it('are written with the first request, then at most every ten seconds', async () => {
    const time = quietTime();
    setClock(() => time);
    answer(5);
    await flushWhenDue();
    expect((await metricsAt(time)).requests).toBe(1);

    answer(5, 200, 3);
    setClock(() => time + 9_999);
    await flushWhenDue();
    expect((await metricsAt(time)).requests).toBe(1);

    setClock(() => time + 10_000);
    await flushWhenDue();
    expect((await metricsAt(time)).requests).toBe(4);
  });

  it('add up across instances, which never overwrite each other', async () => {
    const time = quietTime();
    setClock(() => time);
    for (let instance = 0; instance < 5; instance += 1) {
      answer(7, 200, 2);
      forgetLastFlush();
      await flushWhenDue();
    }

    expect(await metricsAt(time)).toMatchObject({ requests: 10, bytes: 1_000, samples: 5 });
  });

  it('are not written when the setting disables it', async () => {
    const time = quietTime();
    setClock(() => time);
    vi.stubEnv('METRICS_FLUSH_SECONDS', '0');
    answer(5);
    await flushWhenDue();

    expect((await metricsAt(time)).requests).toBe(0);
  });

  it('expire after 35 days', async () => {
    const time = quietTime();
    setClock(() => time);
    answer(5);
    await flushWhenDue();
    setClock(() => time + 35 * dayMs + 1_000);

    expect((await metricsAt(time)).requests).toBe(0);
  });
});

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

describe('GET /health/metrics/historical', () => {
  it.each([
    ['1m', 121],
    ['5m', 25],
    ['15m', 9],
    ['1h', 3],
  ])('returns a point for each %s, including empty ones', async (granularity, points) => {
    const time = quietTime();
    setClock(() => time + hourMs);
    answer(10, 200, 4);
    await flushWhenDue();
    setClock(() => time + 3 * hourMs);
    const range = {
      start: new Date(time).toISOString(),
      end: new Date(time + 2 * hourMs).toISOString(),
    };
    const { body } = await history({ ...range, granularity });
    const busy = body.data.filter(({ requests }: { requests: number }) => requests > 0);

    expect(body.data).toHaveLength(points);
    expect(body.data[0]).toEqual({
      timestamp: range.start,
      cpu: null,
      memory: null,
      disk: null,
      requests: 0,
      responseTime: null,
    });
    expect(busy).toEqual([
      expect.objectContaining({
        timestamp: new Date(time + hourMs).toISOString(),
        requests: 4,
        responseTime: 10,
        memory: expect.any(Number),
      }),
    ]);
  });

  it('covers the last 24 hours by default', async () => {
    const { body } = await history({});

    expect(Date.parse(body.end) - Date.parse(body.start)).toBe(dayMs);
    expect(body.data).toHaveLength(25);
  });

  it('rejects a reversed range and too many points', async () => {
    const day = '2026-01-15';
    const answers = await Promise.all([
      history({ start: '2026-01-16', end: day }),
      history({ start: '2026-01-01', end: day, granularity: '1m' }),
      history({ start: 'yesterday' }),
      history({ start: '0001-01-01', end: '9999-01-01', granularity: '1h' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(answers.map(({ body }) => body.message[0].split(' ')[0])).toEqual([
      'start',
      'granularity',
      'start',
      'granularity',
    ]);
  });

  it('reads the same number of items however many requests there were', async () => {
    const time = quietTime();
    setClock(() => time);
    answer(10, 200, 10_000);
    await flushWhenDue();

    expect(await readMetrics('1m', time, time + 59_999)).toHaveLength(1);
    expect((await metricsAt(time)).requests).toBe(10_000);
  });
});

describe('GET /health/metrics/prometheus', () => {
  const scrape = async () => {
    const params = { scraper_format: 'prometheus' };
    const { body, headers } = await call(getScrapedMetrics, { token: caller.token, params });

    return { families: parsePrometheus(body), headers, text: String(body) };
  };
  const totalOf = ({ families }: Awaited<ReturnType<typeof scrape>>) =>
    families
      .filter(({ name }) => name === 'http_requests_total')
      .flatMap(({ metrics }) => metrics)
      .filter(({ labels }) => labels?.route === '/leads/{organization_id}/{lead_id}')
      .reduce((sum, { value }) => sum + Number(value), 0);

  it('returns counters that never decrease, even after the minutes expired', async () => {
    answer(5);
    await flushWhenDue();
    const before = totalOf(await scrape());
    answer(5);
    forgetLastFlush();
    await flushWhenDue();
    const after = totalOf(await scrape());
    setClock(() => Date.now() + 36 * dayMs);
    forgetLastFlush();
    takeBuffer();
    const routes = await import('#lib/platform/metric-store/read-metrics.ts').then((m) =>
      m.readRouteTotals(),
    );

    expect(after - before).toBe(1);
    expect(routes.find((one) => one.route === route)?.requests).toBeGreaterThanOrEqual(after);
  });

  it('uses route templates as labels and sets the content type', async () => {
    forgetLastFlush();
    await call(getOrganizationHealth, {
      token: caller.token,
      params: { organization_id: caller.organizationId },
    });
    const { text, headers } = await scrape();

    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toContain('route="/health/organization/{organization_id}"');
    expect(text).not.toContain(caller.organizationId);
    expect(text).toMatch(/^# HELP http_request_duration_seconds /m);
    expect(text).toMatch(/^# TYPE http_request_duration_seconds histogram$/m);
  });

  it('rejects another format', async () => {
    const params = { scraper_format: 'graphite' };

    expect((await call(getScrapedMetrics, { token: caller.token, params })).status).toBe(404);
  });
});

describe("an organization's request counts", () => {
  it('include only its own requests of the last 24 hours', async () => {
    const owner = await newAccount();
    const params = { organization_id: owner.organizationId };
    const calls = [];
    for (let times = 0; times < 3; times += 1) {
      forgetLastFlush();
      const { body } = await call(getOrganizationHealth, { token: owner.token, params });
      calls.push(body.health.usage.apiCalls.last24h);
    }
    setClock(() => Date.now() + 25 * hourMs);
    const later = await call(getOrganizationHealth, { token: owner.token, params });

    expect(calls).toEqual([0, 1, 2]);
    expect(later.body.health.usage.apiCalls).toEqual({ last24h: 0, limit: null, percentage: null });
    expect(now()).toBeGreaterThan(Date.now());
  });
});
