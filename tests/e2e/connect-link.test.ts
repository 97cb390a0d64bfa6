import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { SocialLeads } from '#packages/sdk/src/index.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { freshEmail, signUpBody } from '#tests/support/accounts.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { runsAll } from '#tests/support/depth.ts';
import { patiently } from '#tests/support/patience.ts';
import { useStack } from '#tests/support/stack.ts';

const browser = await useBrowser();

function networkId(): string {
  return `${Date.now()}${randomInt(10_000, 100_000)}`;
}

function sandbox() {
  return sandboxClient(`${useStack().sandbox}`);
}

async function newOwner() {
  const { api } = useStack();
  const { authToken } = await new SocialLeads({ baseUrl: api }).auth.signUp(signUpBody());

  return new SocialLeads({ baseUrl: api, token: authToken });
}

/** Mails a link, and opens the page that it leads to. */
async function openMailedLink(client: Awaited<ReturnType<typeof newOwner>>, platform: Platform) {
  const email = freshEmail('shop');
  await client.social.createConnectLink({ platform, email });
  const mail = await vi.waitFor(async () => {
    const [found] = await sandbox().mails(email);
    expect(found).toBeDefined();

    return found;
  }, patiently);
  const [link = ''] = /http\S+\/connect\/\S+/.exec(mail?.text ?? '') ?? [];
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  await page.goto(link);

  return { page, link, problems };
}

async function newPerson(platform: Platform, count: number) {
  const id = networkId();
  const accounts = Array.from({ length: count }, (_, index) => ({
    id: networkId(),
    name: `Bakery ${index + 1}`,
  }));
  await sandbox()
    .network(platform)
    .addPerson({ id, name: `Grace ${id}`, accounts });

  return { id, accounts };
}

/** Continues to the network, and signs in there. */
async function signIn(page: Page, linkName: string | RegExp, personId: string) {
  await page.getByRole('link', { name: linkName }).click();
  await page.getByLabel('Sign in as').selectOption(personId);
}

/** Integration tests connect accounts of all platforms. */
const sampled = runsAll ? platforms : (['INSTAGRAM', 'TWITTER'] as const);

describe('a mailed connect link, in a browser', () => {
  test.each(sampled)('connects an account of %s', async (platform) => {
    const client = await newOwner();
    const { page, link, problems } = await openMailedLink(client, platform);
    const { id, accounts } = await newPerson(platform, 1);
    await signIn(page, /^Continue to /, id);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('checkbox', { name: /^Bakery 1/ }).check();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('heading', { name: 'All set' }).waitFor();

    const { socialAccounts } = await client.social.listAccounts();
    expect(socialAccounts).toMatchObject([
      { platform, platformUserId: accounts[0]?.id, platformUserName: 'Bakery 1', isActive: true },
    ]);
    await page.reload();
    expect(await page.getByText('Bakery 1').count()).toBe(1);
    expect(problems).toEqual([]);
    expect((await page.goto(link))?.status()).toBe(410);
    await page.close();
  });

  test('can be denied, and used again to choose pages', async () => {
    const client = await newOwner();
    const { page } = await openMailedLink(client, 'FACEBOOK');
    const { id } = await newPerson('FACEBOOK', 3);
    await signIn(page, 'Continue to Facebook', id);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Access was not allowed' }).waitFor();

    await signIn(page, 'Start again', id);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('alert').getByText('Choose at least one.').waitFor();
    await page.getByRole('checkbox', { name: /^Bakery 1/ }).check();
    await page.getByRole('checkbox', { name: /^Bakery 3/ }).check();
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('heading', { name: 'All set' }).waitFor();

    const { socialAccounts } = await client.social.listAccounts();
    const names = socialAccounts.map(({ platformUserName }) => platformUserName);
    expect(names.sort()).toEqual(['Bakery 1', 'Bakery 3']);
    await page.close();
  });
});
