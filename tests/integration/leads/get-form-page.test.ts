import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomField, deleteCustomField } from '#schemas/custom-fields.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import type { Answer } from '#tests/support/api.ts';
import { accessibilityProblems, useBrowser } from '#tests/support/browser.ts';
import { serveForms, servePage } from './form-server.ts';
import { allFields, type FormSetup, formSetup, hiddenValue, openPage } from './setup.ts';

const nasty = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'&amp;';
const phone = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false };

const browser = await useBrowser();
let world: FormSetup;
let origin: string;
let elsewhere: string;
let everything: Answer['body'];
const servers: Server[] = [];

beforeAll(async () => {
  const [forms, other] = [await serveForms(), await servePage('<title>Elsewhere</title>')];
  servers.push(forms.server, other.server);
  origin = forms.origin;
  elsewhere = other.origin;
  world = await formSetup();
  everything = await formWithEverything();
});

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A form with each kind of field, and long names. */
async function formWithEverything() {
  const long = 'x'.repeat(90);
  const fields = [
    { key: 'budget', label: 'Budget', type: 'NUMBER', appliesTo: 'LEAD' },
    { key: 'size', label: `Size ${long}`, type: 'SELECT', options: ['S', long], appliesTo: 'LEAD' },
    { key: 'start', label: 'Start', type: 'DATE', appliesTo: 'LEAD' },
    { key: 'vip', label: `VIP ${long}`, type: 'BOOLEAN', appliesTo: 'CONTACT' },
    { key: 'wish', label: nasty, type: 'TEXT', appliesTo: 'LEAD' },
  ];
  for (const body of fields) {
    await world.ask(createCustomField, { body });
  }

  return world.newForm({
    name: `Contact ${'y'.repeat(80)}`,
    fields: [...allFields, ...fields.map(({ key }) => key)],
    consentText: `I agree.\n${nasty} ${long}`,
    thankYouText: `Thanks! ${long}`,
  });
}

async function show(
  code: string,
  { query = '', ...options }: BrowserContextOptions & { readonly query?: string } = {},
) {
  const context = await browser.newContext({ ...phone, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  await page.goto(`${origin}/f/${code}${query}`);

  return { page, problems };
}

/**
 * The problems of a page: axe's findings, a width that needs scrolling, and targets that are too
 * small.
 */
async function findings(page: Page): Promise<readonly unknown[]> {
  const widths: number[] = [];
  for (const width of [1_280, 320]) {
    await page.setViewportSize({ width, height: 740 });
    widths.push(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')));
  }
  const small = await page
    .locator('button, select, textarea, input:not([type=hidden]):not([tabindex="-1"])')
    .evaluateAll((targets) =>
      targets
        .filter((target) => target.getBoundingClientRect().height < 24)
        .map((target) => target.outerHTML),
    );

  return [
    ...(Math.max(...widths) > 0 ? ['does not fit'] : []),
    ...small,
    ...(await accessibilityProblems(page)),
  ];
}

describe('the page of a form (getFormPage)', () => {
  it('is accessible and fits the screen at every step', async () => {
    const options = { javaScriptEnabled: true, bypassCSP: true };
    const { page } = await show(everything.code, options);
    const found = [await findings(page)];
    await page.getByLabel('Email').fill('wrong');
    await page.getByLabel('Budget').fill('much');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    found.push(await findings(page));
    await page.getByLabel('Email').fill(freshEmail());
    await page.getByLabel('Budget').fill('1500');
    await page.getByRole('checkbox', { name: /^I agree/ }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').waitFor();
    found.push(await findings(page));
    await page.context().close();

    expect(found).toEqual([[], [], []]);
  });

  it('works on a phone without JavaScript: error, correction, thank-you page', async () => {
    const email = freshEmail();
    const { page, problems } = await show(everything.code, { query: '?utm_source=flyer&x=1' });
    await page.getByLabel('Name').fill('Zoë "Z" <b>');
    await page.getByLabel('Email').fill('zoe@');
    await page.getByLabel('Message').fill('First\nSecond');
    await page.getByLabel('Budget').fill('12,5');
    await page.getByLabel('Start').fill('2026-12-01');
    await page.getByRole('combobox').selectOption('S');
    await page.getByRole('checkbox', { name: /^VIP/ }).check();
    await page.getByRole('checkbox', { name: /^I agree/ }).check();
    await page.getByRole('button', { name: 'Send' }).press('Enter');

    const summary = page.getByRole('alert');
    await summary.getByRole('link', { name: /^Enter an email address/ }).click();
    expect(await page.title()).toMatch(/^Error: /);
    expect(page.url()).toMatch(/#field-email$/);
    expect(await page.getByLabel('Name').inputValue()).toBe('Zoë "Z" <b>');
    expect(await page.getByLabel('Message').inputValue()).toBe('First\nSecond');
    expect(await page.getByLabel('Start').inputValue()).toBe('2026-12-01');
    expect(await page.getByRole('combobox').inputValue()).toBe('S');
    expect(await page.getByRole('checkbox', { name: /^VIP/ }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: /^I agree/ }).isChecked()).toBe(true);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send' }).click();

    expect(await page.getByRole('status').textContent()).toContain('Thanks!');
    await page.context().close();
    const leads = await world.leadsWithActivities();
    expect(leads.find(({ contact }) => contact.email === email)).toMatchObject({
      utmSource: 'flyer',
      customFields: { budget: 12.5, size: 'S', start: '2026-12-01' },
      contact: { name: 'Zoë "Z" <b>' },
      activities: [{ metadata: { message: 'First\nSecond' } }],
    });
    expect(problems.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it("continues to the redirect's page at another origin", async () => {
    const { code } = await world.newForm({ redirectUrl: `${elsewhere}/thanks?x=1` });
    const { page, problems } = await show(code);
    await page.getByLabel('Email').fill(freshEmail());
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForURL(`${elsewhere}/thanks?x=1`);

    expect(await page.title()).toBe('Elsewhere');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('hides the honeypot from people, who cannot reach it by keyboard', async () => {
    const { page } = await show(everything.code, { javaScriptEnabled: true, bypassCSP: true });
    const trap = page.locator('#website-url');
    const reached: (string | null)[] = [];
    for (let tabs = 0; tabs < 15; tabs += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate('document.activeElement.name'));
    }
    expect(reached).toContain('email');
    expect(reached).not.toContain('website-url');
    expect(await trap.getAttribute('autocomplete')).toBe('off');
    const box = await trap.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(0);
    expect(await page.getByRole('textbox', { name: 'Leave this empty' }).count()).toBe(0);
    await page.context().close();
  });

  it('runs no script, and sends forms only here and to the origin of the redirect', async () => {
    const { code } = await world.newForm({ redirectUrl: 'https://shop.example:8443/a?b#c' });
    const { headers, body } = await openPage(code);
    const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');

    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src https: http: data:; base-uri 'none'; form-action 'self' https://shop.example:8443; frame-ancestors 'none'`,
    );
    expect(body).not.toMatch(/<script|\son\w+=|style="/);
    const { headers: plain } = await openPage(everything.code);
    expect(plain['content-security-policy']).toContain("form-action 'self';");
    expect((await openPage(everything.code)).body).not.toContain('<script');
  });

  it('has labels, completions and a language', async () => {
    const { body } = await openPage(everything.code);

    expect(body).toContain('<html lang="en">');
    for (const [key, purpose] of [
      ['name', 'name'],
      ['email', 'email'],
      ['phone', 'tel'],
      ['company', 'organization'],
    ]) {
      expect(body).toMatch(new RegExp(`autocomplete="${purpose}"[^>]* name="${key}"`));
      expect(body).toContain(`<label for="field-${key}">`);
    }
  });

  it('shows no deleted custom field, and is a new submission each time', async () => {
    const body = { key: 'gone', label: 'Gone', type: 'TEXT', appliesTo: 'LEAD' };
    const { field } = (await world.ask(createCustomField, { body })).body;
    const { code } = await world.newForm({ fields: ['email', 'gone'] });
    const before = await openPage(code);
    await world.ask(deleteCustomField, { params: { field_id: field.id } });
    const after = await openPage(code);

    expect([before.body.includes('Gone'), after.body.includes('Gone')]).toEqual([true, false]);
    expect(hiddenValue(before, 'submission-id')).not.toBe(hiddenValue(after, 'submission-id'));
  });

  it('is a 404 page for unknown codes, and after the organization was deleted', async () => {
    const fresh = await formSetup();
    const { code } = await fresh.newForm();
    expect((await openPage(code)).status).toBe(200);
    await fresh.ask(deleteOrganization);
    const [unknown, deleted] = [await openPage('nothing'), await openPage(code)];

    expect([unknown.status, deleted.status, unknown.body]).toEqual([404, 404, deleted.body]);
    expect(unknown.body).toContain('<h1>Page not found</h1>');
  });
});
