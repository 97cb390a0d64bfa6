import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { areaOf } from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { useStack } from '#tests/support/stack.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

const browser = await useBrowser();
const page = await browser.newPage();
const problems: string[] = [];
const asked: string[] = [];

beforeAll(async () => {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      problems.push(message.text());
    }
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${useStack().api}/docs`);
  await page.locator('.opblock').first().waitFor();
});

/**
 * Opens the page at an operation's link, which expands the operation with an editable request. The
 * page renders only what is visible, and does not always scroll to the operation, so the filter
 * leaves only this one.
 */
async function open(area: string, operationId: string, path: string): Promise<Locator> {
  await page.goto('about:blank');
  await page.goto(`${useStack().api}/docs#/${area}/${operationId}`);
  await page.locator('.opblock').first().waitFor();
  await page.getByPlaceholder('Filter by tag or path').fill(path);
  // Webhooks stay, whatever the filter is.
  const others = `.opblock:not(:has([data-path^="${path}"]), [id^="operations-webhooks"])`;
  await page.locator(others).first().waitFor({ state: 'detached' });
  const operation = page.locator(`#operations-${area}-${operationId}`);
  await operation.getByRole('button', { name: 'Execute' }).waitFor();

  return operation;
}

/** Sends the request and returns its live response. */
async function execute(operation: Locator) {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table tbody .response').first();
  await answer.waitFor();

  return {
    status: await answer.locator('.response-col_status').textContent(),
    body: await answer.locator('.highlight-code').first().textContent(),
  };
}

/** Scrolls through the page to collect all operation ids, because it renders them lazily. */
function collectOperationIds(): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const found = new Set<string>();
    const painted = () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      });
    for (let top = -1; window.scrollY > top; ) {
      top = window.scrollY;
      window.scrollBy(0, window.innerHeight / 2);
      await painted();
      for (const { id } of document.querySelectorAll('.opblock')) {
        found.add(id);
      }
    }
    window.scrollTo(0, 0);

    return [...found];
  });
}

test('the docs page lists every operation', async () => {
  const listed = new Set(await collectOperationIds());
  const missing = endpoints.filter(
    (endpoint) => !listed.has(`operations-${areaOf(endpoint)}-${endpoint.operationId}`),
  );

  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

test('the docs page shows the referenced schemas of an expanded operation', async () => {
  await page.getByPlaceholder('Filter by tag or path').fill('/auth/me/consents');
  const operation = page.locator('#operations-auth-listConsents');
  await operation.locator('.opblock-summary-control').click();
  const refusal = operation.locator('.responses-table .response[data-code="401"]');

  expect(await refusal.textContent()).toContain('"code": "AUTHENTICATION_REQUIRED"');
  expect(await refusal.textContent()).toContain('"error": "Unauthorized"');
});

test('the docs page shows the response to a request sent from the page', async () => {
  const { status, body } = await execute(await open('auth', 'debugIframe', '/auth/iframe-debug'));

  expect(status).toContain('200');
  expect(body).toContain('"isIframe": false');
});

test('the docs page signs up with the example and a different address', async () => {
  const operation = await open('auth', 'signUp', '/auth/signup');
  const request = operation.locator('textarea.body-param__text');
  const email = `${randomUUID()}@example.com`;
  await request.fill((await request.inputValue()).replace('ada@example.com', email));

  const { status, body } = await execute(operation);

  expect(status).toContain('201');
  expect(body).toContain(`"email": "${email}"`);
});

test('the docs page sends an entered token, and loses it when the page closes', async () => {
  const operation = await open('auth', 'listConsents', '/auth/me/consents');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.auth-container input').first().fill('a.b.c');
  await page.getByRole('button', { name: 'Apply credentials' }).first().click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  const sent = page.waitForRequest(/\/auth\/me\/consents$/);

  const { status } = await execute(operation);

  expect((await sent).headers().authorization).toBe('Bearer a.b.c');
  expect(status).toContain('401');
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test('the docs page has no accessibility violations outside of Swagger UI', async () => {
  // Evaluated because the page's security policy blocks added scripts.
  await page.evaluate(axe);

  // Swagger UI creates everything inside the frame.
  const faults = await page.evaluate(
    "axe.run({ exclude: ['#swagger-ui > *'] }).then((result) => result.violations.map((one) => one.id + ': ' + one.help))",
  );

  expect(faults).toEqual([]);
});

test('the docs page makes no requests to other hosts and causes no errors', () => {
  const elsewhere = asked.filter(
    (url) => !url.startsWith(`${useStack().api}/`) && !url.startsWith('data:'),
  );

  expect(elsewhere).toEqual([]);
  // The 401 for the invalid token is expected, but the browser logs it.
  expect(problems.filter((problem) => !problem.includes('401 (Unauthorized)'))).toEqual([]);
});
