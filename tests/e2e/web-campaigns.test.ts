import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '#tests/support/browser.ts';
import {
  appUrl,
  close,
  connectPage,
  expectAccessible,
  fill,
  heading,
  newCampaign,
  newColleague,
  newOwner,
  openSignedIn,
  testInFullRuns,
} from '#tests/support/web-app.ts';

const browser = await useBrowser();

/** An owner with an account and a campaign. */
async function newBusiness() {
  const owner = await newOwner();
  const account = await connectPage(owner);
  const campaign = await newCampaign(owner, account.id);

  return { owner, account, campaign };
}

async function expectVerdict(page: Page, message: string, verdict: string, reason: string) {
  await fill(page, { 'Try a message': message });
  await page.getByText(reason).waitFor();
  await page.getByRole('status').getByText(verdict, { exact: true }).waitFor();
}

test('a campaign is created with conflicts shown while typing, and its draft survives a reload', async () => {
  const { owner } = await newBusiness();
  const { page, problems } = await openSignedIn(browser, owner, '/campaigns');
  await page.getByRole('button', { name: 'New campaign' }).click();
  await heading(page, 'New campaign').waitFor();
  await fill(page, { Name: 'Engines', Keyword: 'Price!' });
  await page.getByRole('alert').getByText('Spring sale').waitFor();
  await fill(page, { Keyword: 'engine' });
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Match' }).selectOption({ label: 'Starts with' });
  await page.getByRole('combobox', { name: 'Pipeline' }).waitFor();
  await page.getByRole('checkbox', { name: 'Bakery' }).check();
  await expectVerdict(page, 'Engine, how much?', 'Would reply', '“engine” matches.');
  await expectVerdict(page, 'My engine', 'Would not reply', 'None of the keywords matches.');
  await expectVerdict(page, 'price', 'Would not reply', '“Spring sale” answers it.');
  await page.reload();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Engines');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create campaign' }).click();
  await heading(page, 'Engines').waitFor();

  const { campaigns } = await owner.client.campaigns.list({
    organizationId: owner.organization.id,
    search: 'Engines',
  });
  expect(campaigns).toMatchObject([
    { status: 'ACTIVE', keywords: [{ keyword: 'engine', matchType: 'STARTS_WITH' }] },
  ]);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  expect(problems).toEqual([]);
  await close(page);
});

test('a campaign shows its metrics, and is paused, changed and deleted', async () => {
  const { owner, campaign } = await newBusiness();
  const { page } = await openSignedIn(browser, owner, `/campaigns/${campaign.id}`);
  await expectVerdict(page, 'PRICE?', 'Would reply', '“price” matches.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('the campaign is paused').waitFor();
  await page.getByRole('status').getByText('Would not reply').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await fill(page, { Name: 'Summer sale', Keyword: 'cost' });
  await page.getByRole('button', { name: 'Save' }).click();
  await heading(page, 'Summer sale').waitFor();
  await page.getByText('“cost”').waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete campaign' }).click();
  await page.getByText('No campaigns yet').waitFor();
  await close(page);
});

test('the campaign list takes its filters from the address, and is accessible', async () => {
  const { owner, account } = await newBusiness();
  for (const name of ['Autumn sale', 'Winter sale']) {
    await newCampaign(owner, account.id, { name, keyword: name });
  }
  const { page } = await openSignedIn(browser, owner, '/campaigns?search=winter');
  await page.getByRole('link', { name: 'Winter sale' }).waitFor();
  expect(await page.getByRole('link', { name: 'Autumn sale' }).count()).toBe(0);
  await page.getByLabel('Search campaigns').fill('');
  await page.getByRole('link', { name: 'Autumn sale' }).waitFor();
  expect(page.url()).toBe(appUrl('/campaigns'));
  await expectAccessible(page);
  await page.getByLabel('Status').selectOption({ label: 'Draft' });
  await page.getByText('No campaign matches').waitFor();
  await close(page);
});

testInFullRuns('viewers see campaigns, and a note about who may change them', async () => {
  const { owner, campaign } = await newBusiness();
  const viewer = await newColleague(owner, 'VIEWER');
  const { page, problems } = await openSignedIn(browser, viewer, '/campaigns');
  await page.getByRole('link', { name: 'Spring sale' }).click();
  await expectVerdict(page, 'price', 'Would reply', '“price” matches.');
  expect(await page.getByRole('button', { name: /Edit|Actions|New/ }).count()).toBe(0);
  await page.goto(appUrl(`/campaigns/${campaign.id}?edit=1`));
  await page.getByText('Members, admins and owners can change campaigns.').waitFor();
  await page.goto(appUrl('/campaigns/new'));
  await page.getByText('Members, admins and owners can create campaigns.').waitFor();
  expect(problems).toEqual([]);
  await close(page);
});
