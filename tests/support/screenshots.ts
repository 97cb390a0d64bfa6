import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { projectPath } from '#scripts/project.ts';
import { chromiumOptions } from './chromium.ts';

const folder = projectPath('docs/images');
const [email = '', password = ''] = process.argv.slice(2);
const base = `http://localhost:${process.env.PORT ?? 3000}/app`;

/**
 * The pictures in docs/first-day.md: the address, and the text that shows that the page is
 * complete.
 */
const pictures: Readonly<Record<string, { path: string; shows: string }>> = {
  home: { path: '', shows: 'Leads today' },
  accounts: { path: '/social/accounts', shows: 'Connected' },
  campaign: { path: '/campaigns/new', shows: 'Start right away' },
  inbox: { path: '/inbox?search=charles', shows: 'Charles Babbage' },
  leads: { path: '/leads', shows: 'Charles Babbage' },
  members: { path: '/settings/members', shows: 'Grace Hopper' },
};

/**
 * Takes the pictures for docs/first-day.md in the running stack, as the owner that `npm run demo`
 * created: `npx node tests/support/screenshots.ts <email> <password>`. They are WebP files, which
 * Chromium encodes.
 */
async function main(): Promise<void> {
  const browser = await chromium.launch(await chromiumOptions());
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  await page.goto(`${base}/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  mkdirSync(folder, { recursive: true });
  for (const [name, { path, shows }] of Object.entries(pictures)) {
    await page.goto(base + path);
    await page.getByText(shows).first().waitFor();
    await page.waitForLoadState('networkidle');
    writeFileSync(`${folder}/${name}.webp`, await webpOf(page));
  }
  await browser.close();
}

async function webpOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();

  return Buffer.from(data, 'base64');
}

await main();
