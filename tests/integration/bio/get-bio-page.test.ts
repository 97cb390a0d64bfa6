import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { deleteBioLink, getBioPage, updateBioLink } from '#schemas/bio.ts';
import { deleteOrganization, updateOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { accessibilityProblems, useBrowser } from '#tests/support/browser.ts';
import { followBioLink, newLink } from './setup.ts';

const maxPageBytes = 30_000;

const origin = 'https://social-leads.example';

const browser = await useBrowser();

function pageOf(organizationId: string, headers: Readonly<Record<string, string>> = {}) {
  return call(getBioPage, { params: { organization_id: organizationId }, headers });
}

function textOf({ body, headers }: Answer): string {
  const bytes = Buffer.from(body, 'base64');

  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

async function organizationWithLinks(): Promise<Account> {
  const owner = await newAccount();
  await call(updateOrganization, {
    params: { organization_id: owner.organizationId },
    token: owner.token,
    body: {
      description: 'Steam-powered calculating engines',
      website: 'https://engines.example/home',
    },
  });
  await newLink(owner, { title: 'Newsletter' });
  await newLink(owner, {
    description: 'All models, with prices',
    imageUrl: `${origin}/engine.svg`,
    buttonText: 'Have a look',
  });

  return owner;
}

type Opened = { readonly page: Page; readonly requests: string[]; readonly problems: string[] };

/** Opens a response in Chromium as if it came from the network, and serves its images. */
async function show(answer: Answer, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (failure) => problems.push(failure.message));
  await page.route('**/*', (route) => {
    const url = route.request().url();
    requests.push(url);
    if (url.endsWith('.svg')) {
      const body = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';

      return route.fulfill({ contentType: 'image/svg+xml', body });
    }

    return route.fulfill({
      status: answer.status,
      headers: answer.headers,
      body: answer.status === 404 ? answer.body : textOf(answer),
    });
  });
  await page.goto(`${origin}/page`, { waitUntil: 'networkidle' });

  return { page, requests, problems };
}

describe("an organization's page", () => {
  test('shows the organization and its active links by their short URLs, newest first', async () => {
    const owner = await organizationWithLinks();
    const hidden = await newLink(owner, { title: 'Not yet', isActive: false });
    const foreign = await newLink(await newAccount(), { title: 'Of somebody else' });
    const { page, requests, problems } = await show(await pageOf(owner.organizationId));

    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Analytical Engines');
    expect(await page.getByText('Steam-powered calculating engines').count()).toBe(1);
    const links = await page.getByRole('listitem').getByRole('link').all();
    expect(await page.locator('.name').allTextContents()).toEqual([
      'Our new engines',
      'Newsletter',
    ]);
    for (const link of links) {
      expect(await link.getAttribute('href')).toMatch(/^http:\/\/localhost:3000\/b\/\w{7}$/);
    }
    const html = await page.content();
    expect([html.includes(hidden.title), html.includes(foreign.title)]).toEqual([false, false]);
    expect(requests).toEqual([`${origin}/page`, `${origin}/engine.svg`]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('is accessible and fits small screens', async () => {
    const owner = await organizationWithLinks();
    await newLink(owner, { title: 'x'.repeat(100), description: 'y'.repeat(1_000) });
    const { page } = await show(await pageOf(owner.organizationId), { bypassCSP: true });
    expect(await accessibilityProblems(page)).toEqual([]);

    for (const width of [320, 390, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const heights = await page
        .getByRole('listitem')
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height));
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    }
    await page.context().close();
  });

  test('has enough contrast in every hue, in light and dark mode', async () => {
    const { page } = await show(await pageOf((await organizationWithLinks()).organizationId));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const ratios = await page.evaluate<readonly number[]>(contrastScript);
      expect(ratios.length).toBe(72 * 5);
      expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5);
    }
    await page.context().close();
  });

  test('runs no scripts, stays under 30 KB, and escapes all content', async () => {
    const owner = await newAccount();
    const nasty = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'&amp;';
    await newLink(owner, { title: nasty, description: nasty, buttonText: nasty.slice(0, 50) });
    await Promise.all(
      Array.from({ length: 40 }, () =>
        newLink(owner, {
          title: 'ü'.repeat(100),
          description: 'ü'.repeat(1_000),
          imageUrl: `https://example.com/${'&'.repeat(2_000)}`,
        }),
      ),
    );
    const whole = await pageOf(owner.organizationId);
    expect(Buffer.byteLength(textOf(whole))).toBeLessThan(maxPageBytes);
    expect(textOf(whole)).toContain('Showing the newest links.');

    const other = await newAccount({ organizationName: nasty });
    await call(updateOrganization, {
      params: { organization_id: other.organizationId },
      token: other.token,
      body: { description: nasty },
    });
    await newLink(other, { title: nasty, description: nasty, buttonText: nasty.slice(0, 50) });
    const answer = await pageOf(other.organizationId);
    const { page, problems } = await show(answer, { bypassCSP: true });
    expect(await page.locator('script, img, iframe').count()).toBe(0);
    expect(await page.getByText(nasty, { exact: true }).allTextContents()).toEqual(
      Array(4).fill(nasty),
    );
    expect(problems).toEqual([]);
    expect(textOf(answer)).not.toMatch(/<script|javascript:/i);
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha/,
    );
    await page.context().close();
  });

  test('is sent again only when it has changed', async () => {
    const owner = await organizationWithLinks();
    const first = await pageOf(owner.organizationId, { 'accept-encoding': 'gzip' });
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-encoding': 'gzip',
      'content-type': 'text/html; charset=utf-8',
    });
    const again = () =>
      pageOf(owner.organizationId, { 'if-none-match': String(first.headers.etag) });
    expect((await again()).status).toBe(304);
    await newLink(owner);
    expect((await again()).status).toBe(200);
  });

  test('responds in the same way without an active link as for an unknown organization', async () => {
    const unknown = await pageOf(randomUUID());
    const same = (answer: Answer) => {
      const { 'x-request-id': _, ratelimit: __, ...headers } = answer.headers;

      return { status: answer.status, body: answer.body, headers };
    };
    expect(unknown.status).toBe(404);
    const owner = await newAccount();
    expect(same(await pageOf(owner.organizationId))).toEqual(same(unknown));
    const link = await newLink(owner);
    expect((await pageOf(owner.organizationId)).status).toBe(200);
    const params = { organization_id: owner.organizationId, link_id: link.id };
    const patch = (isActive: boolean) =>
      call(updateBioLink, { params, token: owner.token, body: { isActive } });
    await patch(false);
    expect(same(await pageOf(owner.organizationId))).toEqual(same(unknown));
    await patch(true);
    expect(textOf(await pageOf(owner.organizationId))).toContain(link.shortUrl);
    await call(deleteBioLink, { params, token: owner.token });
    expect(same(await pageOf(owner.organizationId))).toEqual(same(unknown));

    await newLink(owner);
    await call(deleteOrganization, { params, token: owner.token });
    expect(same(await pageOf(owner.organizationId))).toEqual(same(unknown));
  });

  test('reads no inactive links', async () => {
    const owner = await newAccount();
    const { organizationId } = owner;
    const link = await newLink(owner);
    for (let more = 0; more < 3; more += 1) {
      await newLink(owner, { isActive: false });
    }

    const links = await query<{ readonly id: string }>(ranges.activeBioLinks(organizationId));
    expect(links.map(({ id }) => id)).toEqual([link.id]);
    expect(textOf(await pageOf(organizationId)).match(/class="card"/g)).toHaveLength(1);
  });

  test('shows a changed title', async () => {
    const owner = await newAccount();
    const link = await newLink(owner);
    await call(updateBioLink, {
      params: { organization_id: owner.organizationId, link_id: link.id },
      token: owner.token,
      body: { title: 'Our newest engines' },
    });

    expect(textOf(await pageOf(owner.organizationId))).toContain('Our newest engines');
  });
});

describe('the not-found page', () => {
  test('is accessible and loads nothing', async () => {
    const answer = await followBioLink({ shortUrl: '/b/unknown' });
    const { page, requests, problems } = await show(answer);
    expect(await page.getByRole('heading').textContent()).toBe('Page not found');
    expect(requests).toEqual([`${origin}/page`]);
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    await page.context().close();

    const tested = await show(answer, { bypassCSP: true });
    expect(await accessibilityProblems(tested.page)).toEqual([]);
    await tested.page.context().close();
  });
});

/** Runs in the page: measures the contrast of each color pair, for every fifth hue. */
const contrastScript = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const root = document.documentElement.style;
  const over = (...colours) => {
    for (const colour of colours) {
      canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(colour);
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => rgb
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const ratio = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const ratios = [];
  for (let hue = 0; hue < 360; hue += 5) {
    root.setProperty('--h', hue);
    ratios.push(
      ratio(over('--page', '--card', '--ink'), over('--page', '--card')),
      ratio(over('--page', '--card', '--soft'), over('--page', '--card')),
      ratio(over('--page', '--glow', '--glow2', '--soft'), over('--page', '--glow', '--glow2')),
      ratio(over('--page', '--glow', '--glow2', '--deep'), over('--page', '--glow', '--glow2')),
      ratio(over('--deep', '--on'), over('--deep')),
    );
  }
  return ratios;
})()`;
