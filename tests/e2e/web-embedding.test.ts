import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password } from '#tests/support/accounts.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { patiently } from '#tests/support/patience.ts';
import { appUrl, newOwner } from '#tests/support/web-app.ts';

const browser = await useBrowser();

/** Serves the page that shows the app. */
const shop = createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(
    `<!doctype html><title>Shop</title><iframe src="${appUrl('/inbox')}" title="Inbox" width="800" height="600"></iframe>`,
  );
});

beforeAll(async () => {
  shop.listen(0);
  await once(shop, 'listening');
});

afterAll(() => {
  shop.close();
});

/** Opens the shop at a host. Third-party cookies are blocked. */
async function openShop(context: BrowserContext, host: string) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`http://${host}:${(shop.address() as AddressInfo).port}/`);

  return { page, problems, frame: page.frameLocator('iframe') };
}

/** Returns the cookies that a script in the frame can set. */
async function settable(page: Page, attributes: string): Promise<boolean> {
  const frame = page.frames().find((one) => one.url().startsWith(appUrl()));

  return frame?.evaluate((text) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API hides what is blocked.
    document.cookie = `tried=1; Path=/; Secure; SameSite=None; ${text}`;
    const isSet = document.cookie.includes('tried=1');
    // biome-ignore lint/suspicious/noDocumentCookie: the same.
    document.cookie = `tried=; Max-Age=0; Path=/; Secure; SameSite=None; ${text}`;

    return isSet;
  }, attributes) as Promise<boolean>;
}

test('people sign in inside a frame of another site, and stay signed in only there', async () => {
  const { email } = await newOwner();
  const context = await browser.newContext();
  const { page, frame, problems } = await openShop(context, '127.0.0.1');
  await frame.getByLabel('Email').waitFor();
  expect(await settable(page, '')).toBe(false);
  expect(await settable(page, 'Partitioned')).toBe(true);
  await frame.getByLabel('Email').fill(email);
  await frame.getByLabel('Password').fill(password);
  await frame.getByRole('button', { name: 'Sign in', exact: true }).click();
  await frame.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await page.reload();
  await frame.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await frame.getByRole('link', { name: 'Leads', exact: true }).click();
  await frame.getByRole('heading', { name: 'Leads', level: 1 }).waitFor();
  expect(problems).toEqual([]);

  const tab = await context.newPage();
  await tab.goto(appUrl('/inbox'));
  await tab.getByLabel('Email').waitFor();
  await frame.getByRole('button', { name: 'Sign out' }).click();
  await frame.getByLabel('Email').waitFor();
  await context.close();
});

test('other sites cannot embed the app', async () => {
  const context = await browser.newContext();
  const { page, problems } = await openShop(context, 'other.localhost');
  await expect.poll(() => problems.join(), patiently).toContain('frame-ancestors');
  expect(page.frames().map((frame) => frame.url())).not.toContain(appUrl('/inbox'));
  await context.close();
});
