import { expect, test } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import type { Platform } from '#packages/sdk/src/index.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { useStack } from '#tests/support/stack.ts';
import {
  appUrl,
  close,
  connectPage,
  expectAccessible,
  failing,
  heading,
  networkId,
  newColleague,
  newOwner,
  openSignedIn,
  testInFullRuns,
} from '#tests/support/web-app.ts';

const path = '/social/accounts';
const browser = await useBrowser();

/** Adds a person at a network who manages pages. */
async function newPerson(platform: Platform, pages: readonly string[]) {
  const id = networkId();
  await sandboxClient(useStack().sandbox)
    .network(platform)
    .addPerson({
      id,
      name: `Grace ${id}`,
      accounts: pages.map((name) => ({ id: networkId(), name })),
    });

  return id;
}

test('an owner connects pages of a network, and disconnects one', async () => {
  const owner = await newOwner();
  const personId = await newPerson('FACEBOOK', ['Bakery 1', 'Bakery 2', 'Bakery 3']);
  const { page, problems } = await openSignedIn(browser, owner, path);
  await page.getByText('No accounts yet').waitFor();
  await page.getByRole('button', { name: 'Connect account' }).click();
  const names = ['Facebook', 'Instagram', 'TikTok', 'X', 'LinkedIn', 'YouTube'];
  for (const name of names) {
    await page.getByRole('button', { name, exact: true }).waitFor();
  }
  const restore = await failing(page, '**/oauth/FACEBOOK/start');
  await page.getByRole('button', { name: 'Facebook' }).click();
  const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  await restore();
  await retry.click();
  await page.getByLabel('Sign in as').selectOption(personId);
  await page.getByRole('button', { name: 'Allow' }).click();
  await heading(page, 'Connect account').waitFor();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('alert').getByText('Choose at least one.').waitFor();
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: 'Bakery 1' }).check();
  await page.getByRole('checkbox', { name: 'Bakery 3' }).check();
  const link = page.url();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('heading', { name: 'Bakery 3' }).waitFor();
  expect(page.url()).toBe(appUrl(path));
  expect(await page.getByRole('heading', { name: 'Bakery 2' }).count()).toBe(0);

  await page.getByText('Access details of Bakery 1').click();
  await page.getByText('Missing permissions').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Actions for Bakery 3' }).click();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page
    .getByRole('dialog', { name: 'Disconnect Bakery 3?' })
    .getByRole('button', { name: 'Disconnect' })
    .click();
  await page.getByRole('heading', { name: 'Bakery 3', exact: true }).waitFor({ state: 'detached' });
  expect((await owner.client.social.listAccounts()).total).toBe(1);

  await page.goto(link);
  await page.getByText('These accounts are connected').waitFor();
  await page.goto(appUrl('/social/connect?error=state'));
  await page.getByRole('alert').getByText('was used already').waitFor();
  expect(problems.filter((problem) => !problem.includes('500'))).toEqual([]);
  await close(page);
});

test('a connect link is shown only once, and can be deleted', async () => {
  const owner = await newOwner();
  const { page } = await openSignedIn(browser, owner, path, { width: 390, height: 844 });
  await page.getByRole('button', { name: 'Create connect link' }).click();
  await page.getByLabel('Network', { exact: true }).selectOption({ label: 'X' });
  await page.getByRole('button', { name: 'Create link' }).click();
  expect(await page.getByLabel('Link', { exact: true }).inputValue()).toContain('/connect/');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close dialog' }).click();
  await page.getByRole('button', { name: 'Delete the X link' }).click();
  await page.getByRole('button', { name: 'Delete link' }).click();
  await page.getByRole('heading', { name: 'Connect links' }).waitFor({ state: 'detached' });
  await close(page);
});

testInFullRuns('other roles see the accounts, but no actions that they may not use', async () => {
  const owner = await newOwner();
  await connectPage(owner);
  const viewer = await newColleague(owner, 'VIEWER');
  const { page, problems } = await openSignedIn(browser, viewer, path);
  await page.getByRole('heading', { name: 'Bakery' }).waitFor();
  expect(await page.getByRole('button', { name: /Connect|Create|Actions/ }).count()).toBe(0);
  await page.goto(appUrl('/social/connect?session=x&finish=y'));
  await page.getByText('Only owners and admins can connect accounts.').waitFor();
  expect(problems).toEqual([]);
  await close(page);
});
