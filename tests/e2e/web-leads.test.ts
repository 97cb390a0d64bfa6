import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '#tests/support/browser.ts';
import {
  appUrl,
  close,
  expectAccessible,
  failing,
  fill,
  heading,
  newColleague,
  newOwner,
  type Owner,
  openSignedIn,
  openTab,
  testInFullRuns,
  untilLive,
} from '#tests/support/web-app.ts';

const browser = await useBrowser();

/** An owner with leads with these names, in the first stage. */
async function newBusiness(...names: readonly string[]) {
  const owner = await newOwner();
  const { id: organizationId } = owner.organization;
  const { pipelines } = await owner.client.leads.listPipelines({ organizationId });
  const pipelineId = pipelines[0]?.id ?? '';
  const leads: Array<{ readonly id: string }> = [];
  for (const name of names) {
    const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}@example.com`;
    const { lead } = await owner.client.leads.createWithContact({
      organizationId,
      contact: { name, email, company: `${name} Ltd` },
      pipelineId,
      source: 'fair',
      value: 125_050,
    });
    leads.push(lead);
  }

  return { owner, leads, organizationId };
}

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const cardIn = (page: Page, stage: string, name: string) =>
  column(page, stage).getByRole('article', { name, exact: true });

async function stageOf({ client, organization }: Owner, leadId: string) {
  const { lead } = await client.leads.get({ organizationId: organization.id, leadId });

  return lead.stage?.name;
}

test('leads move by mouse and by keyboard, in both tabs', async () => {
  const { owner, leads } = await newBusiness('Charles Babbage');
  const { page, problems } = await openSignedIn(browser, owner, '/leads');
  await cardIn(page, 'New', 'Charles Babbage').waitFor();
  const { page: other } = await openTab(page.context(), '/leads');
  await cardIn(other, 'New', 'Charles Babbage').waitFor();
  await untilLive(other);
  await page.bringToFront();
  await cardIn(page, 'New', 'Charles Babbage').dragTo(column(page, 'Qualified'));
  await cardIn(page, 'Qualified', 'Charles Babbage').waitFor();
  await cardIn(other, 'Qualified', 'Charles Babbage').waitFor();
  await expect.poll(() => stageOf(owner, leads[0]?.id ?? '')).toBe('Qualified');

  await cardIn(page, 'Qualified', 'Charles Babbage')
    .getByRole('button', { name: 'Actions' })
    .press('Enter');
  await page.getByRole('button', { name: 'Move to Contacted' }).press('Enter');
  await cardIn(page, 'Contacted', 'Charles Babbage').waitFor();
  await expect.poll(() => stageOf(owner, leads[0]?.id ?? '')).toBe('Contacted');

  const restore = await failing(page, '**/move-stage');
  await cardIn(page, 'Contacted', 'Charles Babbage')
    .getByRole('button', { name: 'Actions' })
    .click();
  await page.getByRole('button', { name: 'Move to Lost' }).click();
  await page.getByText('Charles Babbage was not moved to Lost.').waitFor();
  await cardIn(page, 'Contacted', 'Charles Babbage').waitFor();
  await restore();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => stageOf(owner, leads[0]?.id ?? '')).toBe('Lost');
  expect(problems.filter((problem) => !problem.includes('500'))).toEqual([]);
  await close(page);
});

test('the board and the list are searched and filtered in the address', async () => {
  const { owner, leads, organizationId } = await newBusiness('Charles Babbage', 'Mary Somerville');
  await owner.client.leads.addTags({
    organizationId,
    leadId: leads[1]?.id ?? '',
    tags: ['astronomy'],
  });
  const { page } = await openSignedIn(browser, owner, '/leads?search=mary');
  await cardIn(page, 'New', 'Mary Somerville').waitFor();
  expect(await cardIn(page, 'New', 'Charles Babbage').count()).toBe(0);
  await page.getByLabel('Search leads').fill('');
  await cardIn(page, 'New', 'Charles Babbage').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'List' }).click();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Tag').selectOption('astronomy');
  await page.getByRole('link', { name: 'Charles Babbage' }).waitFor({ state: 'detached' });
  expect(page.url()).toBe(appUrl('/leads?view=list&tag=astronomy'));
  await page.getByRole('button', { name: 'Save as segment' }).click();
  await fill(page, { Name: 'Astronomers' });
  await page.getByRole('button', { name: 'Save segment' }).click();
  await page.getByRole('button', { name: 'Delete segment' }).waitFor();
  expect(page.url()).toContain('segmentId=');
  await page.getByRole('link', { name: 'Mary Somerville' }).waitFor();
  await expectAccessible(page);
  await close(page);
});

test('a lead gets a value in units, a note and a tag, keeps its draft, and is deleted', async () => {
  const { owner, leads, organizationId } = await newBusiness('Charles Babbage');
  const leadId = leads[0]?.id ?? '';
  const { page, problems } = await openSignedIn(browser, owner, `/leads/${leadId}`);
  await heading(page, 'Charles Babbage').waitFor();
  expect(await page.getByLabel('Value').inputValue()).toBe('1250.5');
  await fill(page, { Value: '19.99', Notes: 'Wants ten engines' });
  await page.reload();
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Wants ten engines');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
  expect(await owner.client.leads.get({ organizationId, leadId })).toMatchObject({
    lead: { value: 1_999, notes: 'Wants ten engines' },
  });

  await fill(page, { 'New tag': 'vip' });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Remove the tag vip' }).waitFor();
  await fill(page, { 'What happened': 'Called back' });
  await page.getByRole('button', { name: 'Add activity' }).click();
  await page.getByRole('listitem').getByText('Called back').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Move to Converted' }).click();
  await page.getByText('Converted', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Delete lead' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await heading(page, 'Leads').waitFor();
  await page.goto(appUrl(`/leads/${leadId}`));
  await page.getByRole('alert').getByText('Lead not found').waitFor();
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  await close(page);
});

test('a file of leads is previewed, imported and exported', async () => {
  const { owner } = await newBusiness();
  const { page } = await openSignedIn(browser, owner, '/leads');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import leads' });
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'leads.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'name;email;Fax\r\nZoë Müller;zoe@example.com;1\r\nNobody;not an address;2\r\n',
      'latin1',
    ),
  });
  await dialog
    .getByText('2 rows: 1 to create, 0 to add to existing contacts, 1 rejected.')
    .waitFor();
  await dialog.getByRole('cell', { name: 'Zoë Müller' }).waitFor();
  await dialog.getByText('Ignored columns: Fax').waitFor();
  await expectAccessible(page);
  const restore = await failing(page, '**/import');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByRole('alert').getByText('Something went wrong').waitFor();
  await restore();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByText('1 created').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await cardIn(page, 'New', 'Zoë Müller').waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const file = String(await buffer(await download.createReadStream()));
  expect(file.startsWith('\uFEFF')).toBe(true);
  expect(file).toContain('Zoë Müller');
  await close(page);
});

testInFullRuns('lists of leads load page by page, and show failures', async () => {
  const { owner, organizationId } = await newBusiness();
  const rows = Array.from({ length: 30 }, (_, index) => `Person ${index},p${index}@example.com`);
  await owner.client.leads.import({ organizationId, csv: ['name,email', ...rows].join('\n') });
  const { page } = await openSignedIn(browser, owner, '/leads');
  await column(page, 'New').getByRole('article').nth(24).waitFor();
  expect(await column(page, 'New').getByRole('article').count()).toBe(25);
  const restore = await failing(page, /cursor=/);
  await column(page, 'New').getByRole('button', { name: 'Show more' }).click();
  const retry = column(page, 'New').getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  await restore();
  await retry.click();
  await column(page, 'New').getByRole('article').nth(29).waitFor();
  await close(page);
});

testInFullRuns('viewers can read leads, and see no actions', async () => {
  const { owner } = await newBusiness('Charles Babbage');
  const viewer = await newColleague(owner, 'VIEWER');
  const { page, problems } = await openSignedIn(browser, viewer, '/leads');
  await cardIn(page, 'New', 'Charles Babbage').getByRole('link').click();
  await heading(page, 'Charles Babbage').waitFor();
  await page.getByText('1,250.50').waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  await page.goto(appUrl('/leads?view=list'));
  await page.getByRole('link', { name: 'Charles Babbage' }).waitFor();
  expect(await page.getByRole('button', { name: /Import|Export|New lead|Actions/ }).count()).toBe(
    0,
  );
  expect(problems).toEqual([]);
  await close(page);
});
