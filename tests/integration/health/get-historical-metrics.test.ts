import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs, hourMs, setClock } from '#lib/platform/clock.ts';
import { flushWhenDue, forgetLastFlush } from '#lib/platform/metric-store/flush-metrics.ts';
import { readMetrics } from '#lib/platform/metric-store/read-metrics.ts';
import { takeBuffer } from '#lib/platform/metrics/buffer.ts';
import { getHistoricalMetrics } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { answer, metricsAt, quietTime } from './recorded-requests.ts';

const caller = await newAccount();
process.env.HEALTH_LIMIT_PER_USER = '1000';

beforeEach(() => {
  vi.stubEnv('METRICS_FLUSH_SECONDS', '10');
  takeBuffer();
  forgetLastFlush();
});

const history = (query: Record<string, string>) =>
  call(getHistoricalMetrics, { token: caller.token, query });

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
      history({ from: '2026-01-16', to: day }),
      history({ to: day, end: day }),
      history({ start: '2026-01-01', end: day, granularity: '1m' }),
      history({ start: 'yesterday' }),
      history({ start: '0001-01-01', end: '9999-01-01', granularity: '1h' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect(answers.map(({ body }) => body.message[0].split(' ')[0])).toEqual([
      'start',
      'from',
      'to',
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
