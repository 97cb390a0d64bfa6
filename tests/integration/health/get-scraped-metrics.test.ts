import parsePrometheus from 'parse-prometheus-text-format';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetWorkGauges } from '#lib/features/health/metrics/work-gauges.ts';
import { dayMs, hourMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { flushWhenDue, forgetLastFlush } from '#lib/platform/metric-store/flush-metrics.ts';
import { takeBuffer } from '#lib/platform/metrics/buffer.ts';
import { sendToWorker } from '#lib/platform/queue/queue.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { createApiKey } from '#schemas/api-keys.ts';
import { deadLettersOf } from '#schemas/contract.ts';
import { getOrganizationHealth, getScrapedMetrics } from '#schemas/health.ts';
import { workerDefinitions } from '#schemas/messages.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { answer, route } from './recorded-requests.ts';

const caller = await newAccount();
process.env.HEALTH_LIMIT_PER_USER = '1000';

beforeEach(() => {
  vi.stubEnv('METRICS_FLUSH_SECONDS', '10');
  takeBuffer();
  forgetLastFlush();
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

  describe('about the business', () => {
    const gaugesFor = async (token: string) => {
      forgetWorkGauges();
      const params = { scraper_format: 'prometheus' };
      const { body } = await call(getScrapedMetrics, { token, params });
      const samples = [...String(body).matchAll(/^social_leads_(\w+) (.+)$/gm)];

      return Object.fromEntries(samples.map(([, name, value]) => [name, Number(value)]));
    };

    it("describe the caller's organization, and the credits only to admins", async () => {
      const owner = await newAccount();
      const { organizationId } = owner;
      const { body } = await call(createApiKey, {
        token: owner.token,
        params: { organization_id: organizationId },
        body: { name: 'Prometheus', role: 'VIEWER' },
      });
      await storeSocialAccount(organizationId, { tokenExpiresAt: timestamp(dayMs) });
      await storeSocialAccount(organizationId, { tokenExpiresAt: timestamp(4 * dayMs) });
      await storeSocialAccount(organizationId, { isActive: false });
      await storeConversation(organizationId, {
        controller: 'HUMAN',
        unansweredSince: timestamp(-60_000),
      });

      const expected = {
        customer_waiting_seconds: expect.closeTo(60, -1),
        replies_today: 0,
        failed_posts: 0,
        expiring_tokens: 1,
        inactive_accounts: 1,
      };
      const ofOwner = await gaugesFor(owner.token);

      expect(ofOwner).toMatchObject({ ...expected, credits_available: expect.any(Number) });
      expect(Object.keys(ofOwner).length).toBeLessThanOrEqual(10);
      const ofKey = await gaugesFor(body.key);

      expect(ofKey).toMatchObject(expected);
      expect(ofKey).not.toHaveProperty('credits_available');
      expect(await gaugesFor((await newAccount()).token)).toMatchObject({ expiring_tokens: 0 });
    });

    it('describe the work of the whole service', async () => {
      const before = await gaugesFor(caller.token);
      const { mail } = workerDefinitions;
      await sendToWorker(mail, {});
      await sendToWorker({ ...mail, ...deadLettersOf(mail) }, {});
      const attemptId = newId();
      await write(
        planWork('signupCleanup', {
          owner: keys.signupAttempt(attemptId),
          payload: { attemptId, email: 'ada@example.com' },
          delayMs: dayMs,
        }),
      );
      const after = await gaugesFor(caller.token);
      setClock(() => Date.now() + dayMs + hourMs);
      const later = await gaugesFor(caller.token);

      expect(after).toMatchObject({
        queue_messages: Number(before.queue_messages) + 1,
        dead_letters: Number(before.dead_letters) + 1,
      });
      expect(later.work_overdue_seconds).toBeGreaterThanOrEqual(3_600);
    });
  });

  it('rejects another format', async () => {
    const params = { scraper_format: 'graphite' };

    expect((await call(getScrapedMetrics, { token: caller.token, params })).status).toBe(404);
  });
});
