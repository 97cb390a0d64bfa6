import type { BrowserContext, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { freshEmail, password } from '#tests/support/accounts.ts';
import { useBrowser } from '#tests/support/browser.ts';
import { patiently } from '#tests/support/patience.ts';
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
} from '#tests/support/web-app.ts';

const browser = await useBrowser();

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const buy = (page: Page) =>
  section(page, 'Buy credits').getByRole('button', { name: 'Buy credits' });
const hasAdded = (page: Page, credits: string) =>
  section(page, 'Buy credits').getByRole('status').getByText(`${credits} credits were added.`);

async function purchasesOf({ client, organization }: Owner): Promise<readonly number[]> {
  const { entries } = await client.billing.listLedger({ organizationId: organization.id });

  return entries.filter(({ type }) => type === 'credit_purchase').map(({ credits }) => credits);
}

async function openBilling(owner: Owner) {
  const opened = await openSignedIn(browser, owner, '/billing');
  await section(opened.page, 'Buy credits').getByLabel('Card').waitFor();

  return opened;
}

test('credits are bought only once by a double click, after a lost response, and in two tabs', async () => {
  const owner = await newOwner();
  const { page, problems } = await openBilling(owner);
  await section(page, 'Balance').getByText('100', { exact: true }).waitFor();
  await buy(page).dblclick();
  await hasAdded(page, '2,500').waitFor();
  await section(page, 'Balance').getByText('2,600', { exact: true }).waitFor();
  await section(page, 'Credits added').getByText('2,500 credits').waitFor();
  expect(await purchasesOf(owner)).toEqual([2_500]);

  // The service gets the request, but its response is lost. Other tabs and reloads keep the
  // attempt.
  await page.route('**/billing/credits/purchase', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await fill(page, { 'Amount in US dollars': '10' });
  await buy(page).click();
  await page.getByRole('alert').getByText('We couldn’t reach Social Leads').waitFor();
  await page.unroute('**/billing/credits/purchase');
  const other = await openTab(page.context(), '/billing');
  await section(other.page, 'Buy credits').getByLabel('Card').waitFor();
  await fill(other.page, { 'Amount in US dollars': '10' });
  await buy(other.page).click();
  await hasAdded(other.page, '1,000').waitFor();
  expect(await purchasesOf(owner)).toEqual([1_000, 2_500]);

  for (const tab of [page, other.page]) {
    await fill(tab, { 'Amount in US dollars': '7' });
  }
  // The other tab does not see yet what this tab stores.
  await other.page.evaluate(() => {
    const before = { ...localStorage };
    const getItem = Storage.prototype.getItem;
    Storage.prototype.getItem = (key) => before[key] ?? null;
    Object.assign(window, { see: () => Object.assign(Storage.prototype, { getItem }) });
  });
  const answered = Promise.withResolvers<void>();
  await page.route('**/billing/credits/purchase', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await buy(page).click();
  await buy(other.page).click();
  await other.page.evaluate('see()');
  answered.resolve();
  await Promise.all([page, other.page].map((tab) => hasAdded(tab, '700').waitFor()));
  expect(await purchasesOf(owner)).toEqual([700, 1_000, 2_500]);
  await section(other.page, 'Balance').getByText('4,300', { exact: true }).waitFor();
  expect(problems.filter((problem) => !/net::ERR|404|409/.test(problem))).toEqual([]);
  await close(page);
});

test('cards are added, chosen and removed, and a declined card is explained', async () => {
  const owner = await newOwner();
  const { page } = await openBilling(owner);
  const cards = section(page, 'Cards');
  const add = async (name: string) => {
    await cards.getByRole('button', { name: 'Add card' }).click();
    await cards.getByLabel('Test card').selectOption({ label: name });
    await cards.getByRole('button', { name: 'Add card' }).click();
  };
  await add('Mastercard');
  await cards.getByRole('button', { name: 'Make default Visa ending in 4242' }).click();
  await cards.getByRole('button', { name: 'Make default Mastercard ending in 4444' }).waitFor();
  await cards.getByRole('button', { name: 'Remove Mastercard ending in 4444' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await cards
    .getByRole('button', { name: 'Remove Mastercard ending in 4444' })
    .waitFor({ state: 'detached' });
  await add('Insufficient funds');
  await cards.getByRole('alert').getByText('insufficient funds').waitFor();
  await cards.getByLabel('Test card').selectOption({ label: 'Declined' });
  await cards.getByRole('button', { name: 'Add card' }).click();
  await cards.getByRole('alert').getByText('declined').waitFor();

  const inPath = { organizationId: owner.organization.id };
  const { paymentMethods } = await owner.client.billing.listPaymentMethods(inPath);
  expect(paymentMethods).toMatchObject([{ isDefault: true, card: { last4: '4242' } }]);

  // The bank accepts this card, but declines all of its payments.
  await owner.client.billing.addPaymentMethod({
    ...inPath,
    paymentMethodId: 'pm_card_chargeCustomerFail',
  });
  await page.reload();
  await section(page, 'Buy credits').getByLabel('Card').waitFor();
  await buy(page).click();
  await section(page, 'Buy credits').getByRole('alert').getByText('declined').waitFor();
  await section(page, 'Buy credits')
    .getByLabel('Card')
    .selectOption({ label: 'Visa ending in 4242' });
  await buy(page).click();
  await hasAdded(page, '2,500').waitFor();
  expect(await purchasesOf(owner)).toEqual([2_500]);
  await close(page);
});

test('automatic refill is configured, with error messages at the fields', async () => {
  const owner = await newOwner();
  const { page } = await openBilling(owner);
  const refill = section(page, 'Automatic refill');
  await refill.getByRole('checkbox', { name: 'Refill automatically' }).check();
  await fill(refill, { 'Below this many credits': '500', 'Buy for (US dollars)': '3' });
  await refill.getByRole('button', { name: 'Save' }).click();
  await refill.getByText('Must not be less than 5').waitFor();
  await fill(refill, { 'Buy for (US dollars)': '50', 'Monthly limit (US dollars)': '200' });
  await refill.getByRole('button', { name: 'Save' }).click();
  await refill.getByRole('status').getByText('Saved').waitFor();

  const { autoRefill } = await owner.client.billing.getAutoRefillSettings({
    organizationId: owner.organization.id,
  });
  expect(autoRefill).toMatchObject({
    enabled: true,
    threshold: 500,
    amount: 50,
    monthlyCap: 200,
  });
  await close(page);
});

test('a plan is chosen, changed after a preview, and canceled', async () => {
  const owner = await newOwner();
  const inPath = { organizationId: owner.organization.id };
  const { page } = await openBilling(owner);
  const plan = section(page, 'Plan');
  const dialog = page.getByRole('dialog');
  await plan.getByRole('button', { name: 'Choose Starter' }).click();
  await dialog.getByText('You pay $29.00 now and each month').waitFor();
  await dialog.getByRole('button', { name: 'Subscribe' }).dblclick();
  await plan.getByText('Current plan').waitFor();
  await plan.getByRole('button', { name: 'Choose Growth' }).click();
  const { preview } = await owner.client.billing.previewPlanChange({ ...inPath, planId: 'growth' });
  const dollars = Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
  await dialog.getByText(`You pay ${dollars.format(preview.amount / 100)} now`).waitFor();
  await dialog.getByText('7,500 credits are added.').waitFor();
  await dialog.getByText('Then Growth costs $99.00 a month.').waitFor();
  // The response is lost, but the change is made. Trying again finds it.
  await page.route('**/billing/subscription', async (route) => {
    await (route.request().method() === 'PATCH'
      ? route.fetch().then(() => route.abort())
      : route.continue());
  });
  await dialog.getByRole('button', { name: 'Change plan' }).click();
  await dialog.getByRole('alert').getByText('We couldn’t reach Social Leads').waitFor();
  await page.unroute('**/billing/subscription');
  await dialog.getByRole('button', { name: 'Change plan' }).click();
  await plan.getByRole('button', { name: 'Choose Starter' }).click();
  await dialog.getByText('Nothing is charged now. Growth stays until').waitFor();
  await dialog.getByRole('button', { name: 'Change plan' }).click();
  await plan.getByText('Next plan').waitFor();
  await plan.getByRole('button', { name: 'Cancel plan' }).click();
  await dialog.getByRole('button', { name: 'Cancel at the end of the period' }).click();
  await plan.getByText('Ends on').waitFor();
  await plan.getByRole('button', { name: 'Keep plan' }).click();
  await plan.getByRole('button', { name: 'Cancel plan' }).waitFor();

  const invoices = section(page, 'Invoices');
  await expect.poll(() => invoices.getByRole('link', { name: /^PDF of/ }).count()).toBe(2);
  const { invoices: all } = await owner.client.billing.listInvoices(inPath);
  expect(all.map(({ amount }) => amount)).toEqual([preview.amount / 100, 29]);
  await vi.waitFor(async () => {
    const { balance } = await owner.client.billing.getBalance(inPath);
    expect(balance.credits).toBe(100 + 10_000);
  }, patiently);
  await close(page);
});

testInFullRuns('members see who may manage billing, and no request is sent', async () => {
  const owner = await newOwner();
  const member = await newColleague(owner, 'MEMBER');
  const { page, problems } = await openSignedIn(browser, member, '/settings/security');
  await heading(page, 'Settings').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(appUrl('/billing'));
  await page.getByText('Only owners and admins can open billing.').waitFor();
  expect(await page.getByRole('link', { name: 'Billing' }).count()).toBe(0);
  expect(asked.filter((url) => url.includes('/billing/'))).toEqual([]);
  expect(problems).toEqual([]);
  await close(page);
});

test('the billing page is accessible, and buys by keyboard after a failure', async () => {
  const owner = await newOwner();
  const { page } = await openBilling(owner);
  const restore = await failing(page, '**/billing/credits/purchase');
  await buy(page).focus();
  await page.keyboard.press('Enter');
  await section(page, 'Buy credits').getByRole('alert').waitFor();
  await restore();
  await page.keyboard.press('Enter');
  await hasAdded(page, '2,500').waitFor();
  await expectAccessible(page);
  await close(page);
});

/** Replaces Stripe's script. At the first try, the card is incomplete. */
const stripeScript = `
  window.Stripe = (key) => ({
    elements: ({ mode }, tries = 0) => ({
      create: (kind) => ({ mount: (place) => { place.textContent = [kind, mode, key].join(' '); } }),
      submit: async () => (tries++ === 0 ? { error: { message: 'Your card is incomplete.' } } : {}),
    }),
    createPaymentMethod: async () => ({
      paymentMethod: { id: location.pathname.endsWith('sign-up') ? 'pm_card_visa' : 'pm_card_mastercard' },
    }),
    confirmCardSetup: async (secret, { payment_method: card }) => {
      window.confirmed = [secret, card];

      return {};
    },
  });
  window.Stripe.version = 'endive';
`;

/** Responds like a deployment with a publishable key. get-app.test.ts tests its policy. */
async function withPublishableKey(context: BrowserContext): Promise<readonly string[]> {
  const loaded: string[] = [];
  await context.route(`${appUrl()}/**`, async (route) => {
    if (route.request().resourceType() !== 'document') {
      return route.fallback();
    }
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    const body = await response.text();

    return route.fulfill({
      response,
      body: body.replace('Key&quot;:null', 'Key&quot;:&quot;pk_test_1&quot;'),
      headers: {
        ...response.headers(),
        'content-security-policy': policy.replace('script-src', 'script-src https://js.stripe.com'),
      },
    });
  });
  await context.route('https://js.stripe.com/**', (route) => {
    loaded.push(route.request().url());

    return route.fulfill({ contentType: 'text/javascript', body: stripeScript });
  });

  return loaded;
}

test('with a publishable key, cards are entered in Stripe’s form, during the signup and later', async () => {
  const context = await browser.newContext();
  const loaded = await withPublishableKey(context);
  const { page, problems } = await openTab(context, '/sign-up');
  await page.getByText('payment setup pk_test_1').waitFor();
  await fill(page, {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Email: freshEmail(),
    Password: password,
    'Organization name': 'Analytical Engines',
  });
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').getByText('Your card is incomplete.').waitFor();
  await page.getByRole('button', { name: 'Create account' }).click();
  await heading(page, 'Home').waitFor();
  await page.getByRole('link', { name: 'Billing', exact: true }).first().click();
  const cards = section(page, 'Cards');
  await cards.getByRole('button', { name: 'Remove Visa ending in 4242' }).waitFor();
  await cards.getByRole('button', { name: 'Add card' }).click();
  await page.getByText('payment setup pk_test_1').waitFor();
  await cards.getByRole('button', { name: 'Add card' }).click();
  await cards.getByRole('alert').getByText('Your card is incomplete.').waitFor();
  await cards.getByRole('button', { name: 'Add card' }).click();
  await cards.getByRole('button', { name: 'Remove Mastercard ending in 4444' }).waitFor();

  expect(await page.evaluate('window.confirmed')).toEqual([
    expect.stringMatching(/^seti_\w+_secret_/),
    'pm_card_mastercard',
  ]);
  expect(loaded.length).toBe(1);
  expect(problems.filter((problem) => /Content Security Policy|Stripe/.test(problem))).toEqual([]);
  await context.close();
});
