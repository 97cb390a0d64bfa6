import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxSessions } from '#lib/features/social/oauth/connect-links.ts';
import { setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { platforms } from '#schemas/platforms.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import type { Answer } from '#tests/support/api.ts';
import { accessibilityProblems, useBrowser } from '#tests/support/browser.ts';
import { storedItems } from '#tests/support/table.ts';
import {
  choose,
  goThrough,
  newLink,
  newPerson,
  openConnectLink,
  prepareConsent,
  sandbox,
} from './setup.ts';

const nasty = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'&amp;';

const browser = await useBrowser();
let owner: Account;

await prepareConsent();
const allPages = await collectPages(await newAccount());

beforeEach(async () => {
  owner = await newAccount({ organizationName: 'Analytical Engines' });
});

afterEach(async () => {
  setClock();
  await sandbox.clearFaults();
});

/** Opens a response in Chromium as if it came from the network. */
async function show(answer: Answer, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  await page.route('**/*', (route) => {
    requests.push(route.request().url());

    return route.fulfill({ status: answer.status, headers: answer.headers, body: answer.body });
  });
  await page.goto('https://social-leads.example/connect/x', { waitUntil: 'load' });

  return { page, requests, problems };
}

/** Returns the widths at which the page needs sideways scrolling or has small targets. */
async function misfits(page: Page): Promise<readonly number[]> {
  const wrong: number[] = [];
  for (const width of [320, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    const heights = await page
      .locator('a.button, button, label')
      .evaluateAll((targets) => targets.map((one) => one.getBoundingClientRect().height));
    wrong.push(...(fits && heights.every((height) => height >= 44) ? [] : [width]));
  }

  return wrong;
}

/** The pages of a link, from the first to the last, with long names. */
async function collectPages(account: Account): Promise<ReadonlyMap<string, Answer>> {
  const first = await newLink(account);
  const person = await newPerson('FACEBOOK', { count: 4, name: `Engines ${'x'.repeat(150)}` });
  const [mine, theirs] = person.accounts.map(({ id }) => id);
  await storeSocialAccount(account.organizationId, { platformUserId: String(mine) });
  await storeSocialAccount((await newAccount()).organizationId, {
    platformUserId: String(theirs),
  });
  const session = await goThrough(first.linkToken, 'FACEBOOK', 'allow', person);
  const pages = new Map([
    ['start', await openConnectLink(first.linkToken)],
    ['choice', await openConnectLink(first.linkToken, { session, problem: 'none' })],
    ['expired session', await openConnectLink(first.linkToken, { session: 'none' })],
    ['unknown', await openConnectLink('x')],
  ]);
  const denied = await goThrough(first.linkToken, 'FACEBOOK', 'deny');
  pages.set('denied', await openConnectLink(first.linkToken, { session: denied }));
  await choose(
    first.linkToken,
    session,
    person.accounts.map(({ id }) => id),
  );
  pages.set('done', await openConnectLink(first.linkToken, { session }));
  pages.set('used', await openConnectLink(first.linkToken));

  return pages;
}

describe('the page of a connect link', () => {
  it('is accessible and fits at every step', async () => {
    const found: Record<string, unknown> = {};
    for (const [name, answer] of allPages) {
      const { page } = await show(answer, { bypassCSP: true });
      found[name] = [...(await misfits(page)), ...(await accessibilityProblems(page))];
      await page.context().close();
    }
    expect(Object.keys(found).length).toBe(7);
    expect(Object.entries(found).filter(([, problems]) => String(problems) !== '')).toEqual([]);
  });

  it('runs no scripts, loads nothing, and sends forms only to itself', async () => {
    for (const answer of allPages.values()) {
      expect(answer.headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; .*form-action 'self'; frame-ancestors 'none'$/,
      );
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      });
      const { page, requests, problems } = await show(answer);
      expect([requests.length, problems]).toEqual([
        1,
        problems.filter((problem) => /status of 4(04|10)/.test(problem)),
      ]);
      expect(await page.locator('script, img, iframe').count()).toBe(0);
      await page.context().close();
    }
  });

  it('shows hostile names as text', async () => {
    const account = await newAccount({ organizationName: nasty });
    const { linkToken } = await newLink(account);
    const person = await newPerson('FACEBOOK', { count: 2, name: nasty });
    const session = await goThrough(linkToken, 'FACEBOOK', 'allow', person);
    const first = await openConnectLink(linkToken);
    const choice = await openConnectLink(linkToken, { session });
    await choose(linkToken, session, [String(person.accounts[0]?.id)]);
    const done = await openConnectLink(linkToken, { session });
    for (const answer of [first, choice, done]) {
      const { page } = await show(answer, { bypassCSP: true });
      expect(await page.locator('script, img').count()).toBe(0);
      expect(await page.locator('main').textContent()).toContain(nasty);
      await page.context().close();
    }
  });

  it.each(platforms)(
    'names the organization, the requested access and the next step: %s',
    async (platform) => {
      const { linkToken } = await newLink(owner, { platform });
      const { page } = await show(await openConnectLink(linkToken));
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
        /^Connect your .+ to Analytical Engines$/,
      );
      expect(await page.getByRole('listitem').allTextContents()).toContain(
        'Publish posts in your name',
      );
      const button = page.getByRole('link', { name: /^Continue to / });
      expect(await button.getAttribute('href')).toBe('?start=1');
      await page.context().close();
      const { status, headers } = await openConnectLink(linkToken, { start: '1' });
      expect(status).toBe(302);
      expect((await fetch(String(headers.location))).status).toBe(200);
    },
  );
});

describe('a failure on the page of a connect link', () => {
  async function failurePage(set: Readonly<Record<string, unknown>>) {
    const { linkToken } = await newLink(owner);
    const session = await goThrough(linkToken, 'FACEBOOK', 'deny');
    await write(change(keys.oauthSession(owner.organizationId, session), { set }));

    return openConnectLink(linkToken, { session });
  }

  it.each([
    ['DENIED', 'Access was not allowed'],
    ['SCOPE_MISSING', 'A permission is missing'],
    ['REJECTED', 'The sign-in did not work'],
    ['UNAVAILABLE', 'Facebook is not answering'],
    ['NO_ACCOUNT', 'There is nothing to connect'],
  ])('explains %s, and lets the person start again', async (failure, title) => {
    const { status, body } = await failurePage({ failure });
    expect(status).toBe(200);
    expect(body).toContain(`<h1 dir="auto">${title}</h1>`);
    expect(body).toContain('<a class="button" href="?start=1"');
  });

  it('explains that the network was down', async () => {
    const { linkToken } = await newLink(owner);
    await sandbox.addFault({ service: 'facebook', mode: 'down', path: '/oauth/access_token' });
    const session = await goThrough(linkToken, 'FACEBOOK');
    expect((await openConnectLink(linkToken, { session })).body).toContain(
      'Facebook is not answering',
    );
  });

  it('explains an expired link', async () => {
    const { linkToken, expiresAt } = await newLink(owner, { expiresInHours: 1 });
    setClock(() => Date.parse(expiresAt));
    const { status, body } = await openConnectLink(linkToken);
    expect(status).toBe(410);
    expect(body).toContain('Ask the person who sent it for a new one.');
    expect(body).not.toMatch(/<(form|button|a) /);
    expect((await openConnectLink(linkToken, { start: '1' })).status).toBe(410);
  });

  it.each([
    ['unknown', 'x'.repeat(43)],
    ['hostile', '../<script>"%00'],
    ['long', 'x'.repeat(8_000)],
  ])('explains a link that is %s', async (_, linkToken) => {
    const { status, body } = await openConnectLink(linkToken);
    expect(status).toBe(404);
    expect(body).not.toMatch(/<(form|button|a|script) /);
  });

  it('starts at most a limited number of sessions, and then explains the limit', async () => {
    const { linkToken } = await newLink(owner);
    const other = await newLink(owner);
    const answers = await Promise.all(
      Array.from({ length: maxSessions + 10 }, () => openConnectLink(linkToken, { start: '1' })),
    );
    const sessions = (await storedItems(`ORG#${owner.organizationId}`)).filter(({ sk }) =>
      sk.startsWith('OAUTH_SESSION#'),
    );
    const refused = answers.filter(({ status }) => status === 410);

    expect([sessions.length, refused.length]).toEqual([maxSessions, 10]);
    expect(refused[0]?.body).toContain('started too often');
    expect((await openConnectLink(other.linkToken, { start: '1' })).status).toBe(302);
  });

  it('starts again with a session that has not come back from the network', async () => {
    const { linkToken } = await newLink(owner);
    const { headers } = await openConnectLink(linkToken, { start: '1' });
    expect(headers.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/facebook\//);
    expect((await openConnectLink(linkToken)).body).toContain('Continue to Facebook');
  });

  it.each([
    ['session', 'x'],
    ['problem', '<script>'],
    ['start', 'https://evil.example'],
  ])('does not repeat or follow a hostile %s', async (name, value) => {
    const { linkToken } = await newLink(owner);
    const { status, headers, body } = await openConnectLink(linkToken, { [name]: value });
    expect(status).toBeLessThan(400);
    expect(`${headers.location ?? ''}${body}`).not.toContain('evil.example');
    expect(body).not.toContain('<script');
  });
});
