import { afterEach, describe, expect, it } from 'vitest';
import { forgetChecks } from '#lib/features/health/services/check-services.ts';
import {
  announceMaintenance,
  cancelMaintenance,
  openIncident,
  updateIncident,
} from '#lib/features/health/services/incidents.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { getHealthStatus, getStatusPage } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { accessibilityProblems, useBrowser } from '#tests/support/browser.ts';
import { sandbox } from '#tests/support/mails.ts';

const url = 'https://social-leads.example/status';

const browser = await useBrowser();

afterEach(() => {
  forgetChecks();
});

async function addIncidents(): Promise<void> {
  await sandbox.addFault({ service: 'stripe', mode: 'down' });
  const { id } = await openIncident({
    service: 'api',
    title: 'Answers <b>are</b> slow',
    impact: 'minor',
    message: 'We look into it',
    isAutomatic: false,
  });
  await updateIncident(id, 'identified', 'It is the cache & its size');
  await announceMaintenance({
    title: 'A new database',
    message: 'Calls may fail for a minute',
    startsAt: timestamp(3_600_000),
    endsAt: timestamp(7_200_000),
  });
  forgetChecks();
}

async function show({ bypassCSP = false } = {}) {
  const answer = await call(getStatusPage);
  const context = await browser.newContext({
    bypassCSP,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  await page.route('**/*', (route) => {
    requests.push(route.request().url());

    return route.fulfill({ status: answer.status, headers: answer.headers, body: answer.body });
  });
  await page.goto(url);

  return { answer, page, requests, problems };
}

describe('the status page', () => {
  it("shows each service's status, and escapes incidents and maintenance", async () => {
    await addIncidents();
    const { page, requests, problems } = await show();
    const text = await page.locator('main').textContent();

    expect(text).toContain('Some systems are degraded');
    expect(text).toMatch(/PaymentsDown/);
    expect(text).toMatch(/DatabaseOperational/);
    expect(text).toContain('Answers <b>are</b> slow');
    expect(text).toContain('It is the cache & its size');
    expect(text).toContain('Payments: down');
    expect(text).toContain('A new database');
    expect(requests).toEqual([url]);
    expect(problems).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      390,
    );
    await page.context().close();
  });

  it('has no accessibility violations found by axe', async () => {
    const { page } = await show({ bypassCSP: true });

    expect(await accessibilityProblems(page)).toEqual([]);
    await page.context().close();
  });

  it('removes maintenance that was canceled', async () => {
    const { id } = await announceMaintenance({
      title: 'Never mind',
      message: 'It is off',
      startsAt: timestamp(1_000),
      endsAt: timestamp(2_000),
    });
    await cancelMaintenance(id);
    const { token } = await newAccount();
    const { body } = await call(getHealthStatus, { token });

    expect(JSON.stringify(body.maintenance)).not.toContain('Never mind');
  });
});
