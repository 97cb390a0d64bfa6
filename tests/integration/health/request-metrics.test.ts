import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs, hourMs, now, setClock } from '#lib/platform/clock.ts';
import { flushWhenDue, forgetLastFlush } from '#lib/platform/metric-store/flush-metrics.ts';
import { takeBuffer } from '#lib/platform/metrics/buffer.ts';
import { getOrganizationHealth } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { answer, metricsAt, quietTime } from './recorded-requests.ts';

beforeEach(() => {
  vi.stubEnv('METRICS_FLUSH_SECONDS', '10');
  takeBuffer();
  forgetLastFlush();
});

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
