import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { dayMs } from '#lib/platform/clock.ts';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { patiently } from '#tests/support/patience.ts';
import { useStack } from '#tests/support/stack.ts';
import {
  appUrl,
  close,
  connectPage,
  expectAccessible,
  newCampaign,
  newOwner,
  openSignedIn,
} from '#tests/support/web-app.ts';

const [browser, business] = await Promise.all([useBrowser(), newBusiness()]);

/** An owner with leads from two sources, and a customer who wrote a campaign's keyword. */
async function newBusiness() {
  const owner = await newOwner();
  const { client, organization } = owner;
  const inPath = { organizationId: organization.id };
  const [account, { pipelines }] = await Promise.all([
    connectPage(owner),
    client.leads.listPipelines(inPath),
  ]);
  const pipelineId = pipelines[0]?.id ?? '';
  await newCampaign(owner, account.id);
  const network = sandboxClient(useStack().sandbox).network('FACEBOOK');
  await network.sendEvent({
    userId: account.platformUserId,
    type: 'comment',
    text: 'What is the price?',
    from: { id: `c-${account.platformUserId}`, name: 'Charles Babbage' },
  });
  const newLead = async (source: string, value: number) => {
    const { lead } = await client.leads.createWithContact({
      ...inPath,
      contact: { name: 'Luigi Menabrea', email: freshEmail() },
      pipelineId,
      source,
      value,
    });

    return lead;
  };
  const [sold] = await Promise.all([newLead('=1+1', 12_345), newLead('website', 0)]);
  await client.leads.moveStage({
    ...inPath,
    leadId: sold.id,
    stageId: pipelines[0]?.stages.find(({ name }) => name === 'Converted')?.id ?? '',
  });
  await vi.waitFor(async () => {
    const { rows } = await client.leads.getAttribution({ ...inPath, by: 'keyword' });
    expect(rows).toMatchObject([{ key: 'price', leads: 1 }]);
  }, patiently);

  return { ...owner, account, inPath };
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });

/** Returns the cells of a table's rows, by the first cell. */
async function rowsOf(page: Page, name: string): Promise<ReadonlyMap<string, readonly string[]>> {
  await table(page, name).waitFor();
  const rows = await table(page, name)
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent ?? '')),
    );

  return new Map(rows.map(([first = '', ...others]) => [first, others]));
}

async function csvOf(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download CSV of ${name}` }).click(),
  ]);

  return String(await buffer(await download.createReadStream()));
}

test("reports show the API's values as charts, tables and CSV files", async () => {
  const { client, inPath } = business;
  const { page, problems } = await openSignedIn(browser, business, '/reports?by=keyword');
  await page.getByRole('img', { name: /^Leads from .* at most 3 on a day$/ }).waitFor();
  const [{ stats }, { sources }, { pipeline }] = await Promise.all([
    client.leads.getStats({ ...inPath, from: new Date(Date.now() - 30 * dayMs).toISOString() }),
    client.leads.getSourceAnalytics(inPath),
    client.leads.getPipelineAnalytics(inPath),
  ]);

  expect(stats.days).toMatchObject([{ leads: 3, converted: 1, valueCents: 12_345 }]);
  const [[newest = '', counts] = []] = await rowsOf(page, 'Leads over time');
  expect(Date.parse(newest)).toBeGreaterThan(Date.now() - 3 * dayMs);
  expect(counts).toEqual(['3', '1', '123.45']);
  expect((await rowsOf(page, 'Leads over time')).size).toBe(30);
  const rows = await rowsOf(page, 'Sources');
  expect(sources.map(({ source }) => source)).toEqual(['=1+1', 'social_media', 'website']);
  expect([...rows.keys()]).toEqual(['=1+1', 'Social media', 'Website']);
  expect(rows.get('=1+1')).toEqual(['1', '100', '123.45', '123.45']);
  expect([...(await rowsOf(page, 'Pipeline'))]).toEqual(
    pipeline.stages.map(({ name, leadCount }) => [name, [String(leadCount), expect.any(String)]]),
  );
  expect((await rowsOf(page, 'Attribution')).get('price')).toEqual(['1', '0', '1', '0', '0']);

  const csv = await csvOf(page, 'Sources');
  expect(csv).toContain('\uFEFFSource,Leads,Converted (%),Average value,Value\r\n');
  expect(csv).toContain(`"'=1+1",1,100,123.45,123.45\r\n`);
  const [header, first] = (await csvOf(page, 'Leads over time')).split('\r\n');
  expect(header).toBe('\uFEFFDay,Leads,Converted,Value');
  expect(first).toBe(`"${stats.days?.[0]?.date}",3,1,123.45`);
  expect(problems).toEqual([]);
  await close(page);
});

test("the report's address contains the range and the choices, in the organization's time zone", async () => {
  const owner = await newOwner();
  const { page } = await openSignedIn(browser, owner, '/reports');
  await section(page, 'Leads over time').getByText('No leads in this range').waitFor();
  // There it is yesterday, or tomorrow, for at least another hour.
  const utc = new Date();
  const timezone = utc.getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  await owner.client.organizations.update({ organizationId: owner.organization.id, timezone });
  const asked = page.waitForRequest(/\/stats\?from=/);
  await page.reload();
  const { searchParams } = new URL((await asked).url());
  const today = new Intl.DateTimeFormat('sv', { timeZone: timezone }).format();
  expect(searchParams.get('to')).toBe(today);
  expect(today).not.toBe(utc.toISOString().slice(0, 10));

  await page.getByLabel('Range').selectOption({ label: 'Last 7 days' });
  await expect.poll(() => page.url()).toBe(appUrl('/reports?range=7'));
  await page.getByLabel('Range').selectOption({ label: 'Other range' });
  await page.getByLabel('From').fill('2026-03-02');
  await page.getByLabel('To', { exact: true }).fill('2026-03-01');
  await page.getByRole('alert').getByText('The first day is after the last one').waitFor();
  await page.getByLabel('To', { exact: true }).fill('2027-03-03');
  await page.getByRole('alert').getByText('at most 366 days').waitFor();
  const inRange = page.waitForRequest(/\/stats\?from=2026-03-02&to=2026-03-03/);
  await page.getByLabel('To', { exact: true }).fill('2026-03-03');
  await inRange;
  await page.reload();
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe('2026-03-02');
  await close(page);
});

test('the reports page is accessible, and works by keyboard', async () => {
  const { page } = await openSignedIn(browser, business, '/reports?range=7');
  await table(page, 'Sources').waitFor();
  await table(page, 'Pipeline').waitFor();
  await section(page, 'Content').getByText('No posts in this range').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Range').focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.url()).toBe(appUrl('/reports'));
  await expect.poll(async () => (await rowsOf(page, 'Leads over time')).size).toBe(30);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Download CSV of Leads over time');
  await close(page);
});
