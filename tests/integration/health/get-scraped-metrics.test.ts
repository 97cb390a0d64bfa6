import parsePrometheus from 'parse-prometheus-text-format';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { flushWhenDue, forgetLastFlush } from '#lib/platform/metric-store/flush-metrics.ts';
import { takeBuffer } from '#lib/platform/metrics/buffer.ts';
import { getOrganizationHealth, getScrapedMetrics } from '#schemas/health.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { answer, route } from './recorded-requests.ts';

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
