import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { updateAutoRefillSettings } from '#schemas/billing.ts';
import {
  addPaymentMethod,
  createBillingSetupIntent,
  listInvoices,
  listPaymentMethods,
  listPlans,
  removePaymentMethod,
  setDefaultPaymentMethod,
} from '#schemas/billing-subscription.ts';
import { createOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { customerOf, defaultCardOf, subscribe } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems } from '#tests/support/table.ts';

const notFound = "Payment method not found or you don't have access";
const needed =
  'Cannot remove the last payment method while a subscription is active or auto-refill is on';

let owner: Account;
let first: string;

beforeAll(() => {
  liftRateLimits();
});

beforeEach(async () => {
  await sandbox.reset();
  owner = await newAccount();
  first = await defaultCardOf(owner.organizationId);
});

afterEach(() => sandbox.clearFaults());

const add = (paymentMethodId: string) =>
  call(addPaymentMethod, { token: owner.token, body: { paymentMethodId } });
const added = async (testCard = 'pm_card_mastercard'): Promise<string> =>
  (await add(testCard)).body.paymentMethodId;
const remove = (id: string) =>
  call(removePaymentMethod, { token: owner.token, params: { payment_method_id: id } });
const choose = (id: string) =>
  call(setDefaultPaymentMethod, { token: owner.token, params: { payment_method_id: id } });
const list = async () => (await call(listPaymentMethods, { token: owner.token })).body;
const refill = (enabled: boolean) =>
  call(updateAutoRefillSettings, {
    token: owner.token,
    body: { enabled, threshold: 10, amount: 25 },
  });

async function actions(): Promise<readonly unknown[]> {
  const items = await storedItems(`ORG#${owner.organizationId}`);

  return items.flatMap(({ action }) => (String(action).includes('payment_method') ? [action] : []));
}

describe('a payment method', () => {
  it('becomes the default when added, and all are listed newest first', async () => {
    const answer = await add('pm_card_mastercard');

    expect(answer.status).toBe(201);
    const { paymentMethodId } = answer.body;
    expect(answer.body).toMatchObject({ brand: 'mastercard', last4: '4444', isDefault: true });
    expect(await defaultCardOf(owner.organizationId)).toBe(paymentMethodId);
    expect(await list()).toMatchObject({
      paymentMethods: [
        { id: paymentMethodId, type: 'card', card: { brand: 'mastercard' }, isDefault: true },
        { id: first, type: 'card', card: { brand: 'visa', last4: '4242' }, isDefault: false },
      ],
      defaultPaymentMethodId: paymentMethodId,
      total: 2,
    });
    expect(await actions()).toEqual(['billing.payment_method_added']);
  });

  it('is stored once when added twice', async () => {
    const id = await added();

    expect((await add(id)).status).toBe(201);
    expect((await list()).total).toBe(2);
  });

  it.each([
    ['pm_card_chargeDeclined', 'Your card was declined.'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'Your card has insufficient funds.'],
  ])(
    'returns 402 and changes nothing when the card is declined (%s)',
    async (testCard, message) => {
      const before = await list();

      expect(await add(testCard)).toMatchObject({
        status: 402,
        body: { error: 'Payment Required', message },
      });
      expect(await list()).toEqual(before);
      expect(await actions()).toEqual([]);
    },
  );

  it('returns 400 in a body and 404 in a path for an unknown or another customer’s card', async () => {
    const foreign = await defaultCardOf((await newAccount()).organizationId);
    for (const id of ['pm_1Unknown', foreign]) {
      const answer = await add(id);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(/^paymentMethodId /)]);
      expect(await remove(id)).toMatchObject({ status: 404, body: { message: notFound } });
      expect(await choose(id)).toMatchObject({ status: 404, body: { message: notFound } });
    }
    expect((await list()).total).toBe(1);
  });

  it('pays for the subscription once it is chosen as the default', async () => {
    const second = await added();
    await subscribe(owner);

    expect((await choose(first)).status).toBe(200);

    expect(await defaultCardOf(owner.organizationId)).toBe(first);
    const { data } = await provider.subscriptions.list();
    expect(data[0]?.default_payment_method).toBe(first);
    await choose(second);
    expect((await provider.subscriptions.list()).data[0]?.default_payment_method).toBe(second);
  });

  it('passes the default to the newest remaining card when removed', async () => {
    const second = await added();
    const third = await added('pm_card_amex');

    expect((await remove(third)).status).toBe(200);

    expect((await list()).defaultPaymentMethodId).toBe(second);
    expect((await remove(first)).status).toBe(200);
    expect(await list()).toMatchObject({ total: 1, defaultPaymentMethodId: second });
    expect(await remove(third)).toMatchObject({ status: 404 });
  });

  it('cannot be removed as the last one while a subscription runs', async () => {
    await subscribe(owner);

    expect(await remove(first)).toMatchObject({ status: 409, body: { message: needed } });

    const second = await added();
    expect((await remove(first)).status).toBe(200);
    expect((await remove(second)).status).toBe(409);
  });

  it('cannot be removed as the last one until auto-refill is off', async () => {
    await refill(true);
    expect((await remove(first)).status).toBe(409);
    await refill(false);

    expect((await remove(first)).status).toBe(200);

    expect(await list()).toEqual({ paymentMethods: [], defaultPaymentMethodId: null, total: 0 });
  });

  it('remains as the last one under concurrent removals', async () => {
    const second = await added();
    await subscribe(owner);

    const answers = await Promise.all([
      remove(first),
      remove(second),
      remove(first),
      remove(second),
    ]);

    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
    expect((await list()).total).toBeGreaterThan(0);
  });
});

describe('while the provider does not respond', () => {
  it.each(['down', 'hang'] as const)(
    'returns 502 in time for cards and invoices (%s)',
    async (mode) => {
      await sandbox.addFault({ service: 'stripe', mode });
      const began = performance.now();
      const { token } = owner;

      const answers = await Promise.all([
        call(listPaymentMethods, { token }),
        call(listInvoices, { token }),
        call(createBillingSetupIntent, { token, body: {} }),
        add('pm_card_visa'),
      ]);

      expect(performance.now() - began).toBeLessThan(10_000);
      expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502]);
      expect(answers[0]?.body.message).toBe('Payment service temporarily unavailable');
      await sandbox.clearFaults();
      expect((await remove(first)).status).toBe(200);
    },
  );

  it('allows adding a card again when the response was lost after it was attached', async () => {
    const fault = { service: 'stripe', path: '/attach$', mode: 'hang-after' } as const;
    await sandbox.addFault(fault);
    const { id } = await provider.paymentMethods.create({
      type: 'card',
      card: { token: 'tok_visa' },
    });
    vi.stubEnv('PAYMENT_TIMEOUT_MS', '1000');
    expect((await add(id)).status).toBe(502);
    vi.unstubAllEnvs();
    await sandbox.clearFaults();

    expect((await add(id)).status).toBe(201);
    expect(await list()).toMatchObject({ total: 2, defaultPaymentMethodId: id });
  });
});

describe('a setup intent', () => {
  it('belongs to the organization’s own customer', async () => {
    const { status, body } = await call(createBillingSetupIntent, {
      token: owner.token,
      body: {},
    });

    expect(status).toBe(200);
    const intent = await provider.setupIntents.retrieve(
      String(body.clientSecret.split('_secret')[0]),
    );
    expect(intent.customer).toBe(await customerOf(owner.organizationId));
  });
});

describe('listing invoices', () => {
  it('returns invoices newest first, in pages, with a download link', async () => {
    await subscribe(owner);
    await sandbox.advancePaymentClock(32);
    await sandbox.advancePaymentClock(31);
    const { token } = owner;

    const page = (await call(listInvoices, { token, query: { limit: '2' } })).body;

    expect(page).toMatchObject({ hasMore: true, message: 'Invoices retrieved successfully' });
    expect(page.invoices).toMatchObject([
      { status: 'paid', amount: 29, currency: 'USD', dueDate: null },
      { status: 'paid', amount: 29 },
    ]);
    const [newest, older] = page.invoices;
    expect(newest.periodStart).toBe(older.periodEnd);
    expect(newest.number).toMatch(/-0003$/);
    expect(Date.parse(newest.paidAt)).toBeGreaterThan(Date.parse(older.paidAt));
    const next = await call(listInvoices, {
      token,
      query: { limit: '2', startingAfter: older.id },
    });
    expect(next.body.invoices).toHaveLength(1);
    expect(next.body.hasMore).toBe(false);
    const file = await fetch(newest.downloadUrl);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(await file.text()).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
  });

  it('hides another organization’s invoices and rejects its cursors', async () => {
    const other = await newAccount();
    await subscribe(other);
    const [foreign] = (await call(listInvoices, { token: other.token })).body.invoices;

    expect((await call(listInvoices, { token: owner.token })).body.invoices).toEqual([]);
    for (const startingAfter of [foreign.id, 'in_unknown']) {
      const answer = await call(listInvoices, { token: owner.token, query: { startingAfter } });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(/^startingAfter /)]);
    }
  });
});

describe('before billing is set up', () => {
  it('returns 404 with instructions for everything except the plans', async () => {
    const { body } = await call(createOrganization, {
      token: owner.token,
      body: { name: 'Difference Engines' },
    });
    const headers = { 'x-organization-id': body.organization.id };
    const { token } = owner;
    const answers = await Promise.all([
      call(listPaymentMethods, { token, headers }),
      call(listInvoices, { token, headers }),
      call(createBillingSetupIntent, { token, headers, body: {} }),
      call(addPaymentMethod, { token, headers, body: { paymentMethodId: 'pm_card_visa' } }),
      call(removePaymentMethod, { token, headers, params: { payment_method_id: 'pm_1' } }),
      call(setDefaultPaymentMethod, { token, headers, params: { payment_method_id: 'pm_1' } }),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 404,
        body: { suggestion: expect.stringContaining('POST /billing/setup') },
      });
    }
    expect((await call(listPlans, { token, headers })).status).toBe(200);
  });
});

describe('listing the plans', () => {
  it('is allowed for every signed-in user', async () => {
    const viewer = await newMember(owner, 'VIEWER');

    const { body } = await call(listPlans, { token: viewer.token });

    expect(body.plans.map(({ id }: { id: string }) => id)).toEqual(['starter', 'growth', 'scale']);
    expect(body.plans[0]).toEqual({
      id: 'starter',
      name: 'Starter',
      amount: 2_900,
      currency: 'usd',
      interval: 'month',
      monthlyCredits: 2_500,
      trialDays: 0,
    });
  });
});

describe('access to cards and invoices', () => {
  it.each(['MEMBER', 'VIEWER'] as const)('is denied to a %s', async (role) => {
    const member = await newMember(owner, role);
    const options = {
      token: member.token,
      headers: { 'x-organization-id': owner.organizationId },
      params: { payment_method_id: first },
    };
    for (const contract of [
      addPaymentMethod,
      listPaymentMethods,
      removePaymentMethod,
      setDefaultPaymentMethod,
      createBillingSetupIntent,
      listInvoices,
    ]) {
      expect(await call(contract, options)).toMatchObject({
        status: 403,
        body: { message: 'Only owners and admins can access billing' },
      });
    }
  });
});
