import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repliesArePaused } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { listLedger, listTransactions } from '#schemas/billing.ts';
import {
  addPaymentMethod,
  cancelSubscription,
  getSubscription,
  listPaymentMethods,
  pauseSubscription,
  removePaymentMethod,
  setDefaultPaymentMethod,
} from '#schemas/billing-subscription.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import {
  balanceOf,
  customerOf,
  defaultCardOf,
  deliver,
  deliverAll,
  expectBalanced,
  giveCard,
  ledgerOf,
  subscribe,
} from '#tests/support/billing.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork } from '#tests/support/work.ts';

let owner: Account;

beforeAll(liftRateLimits);

beforeEach(async () => {
  await sandbox.reset();
  owner = await newAccount();
});

afterEach(() => {
  delete process.env.BILLING_PLANS;
});

const read = async () => (await call(getSubscription, { token: owner.token })).body.subscription;

async function listed(): Promise<readonly string[]> {
  const { body } = await call(listPaymentMethods, { token: owner.token });

  return body.paymentMethods.map(({ id }: { id: string }) => id);
}

async function remove(): Promise<void> {
  const params = { organization_id: owner.organizationId };
  expect((await call(deleteOrganization, { token: owner.token, params })).status).toBe(200);
}

async function unpaidMails() {
  const mails = await mailsTo(owner.email);

  return mails.filter(({ subject }) => subject.startsWith('Payment failed for'));
}

async function allowances() {
  const ledger = await ledgerOf(owner.organizationId);

  return ledger.filter(({ type }) => type === 'subscription_credit');
}

async function atProvider(customer?: string) {
  const { data } = await provider.subscriptions.list({
    customer: customer ?? (await customerOf(owner.organizationId)),
    status: 'all',
  });

  return data;
}

function orders<T>(things: readonly T[]): readonly (readonly T[])[] {
  return things.length === 0
    ? [[]]
    : things.flatMap((first, at) =>
        orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]),
      );
}

describe('the monthly allowance', () => {
  it('is credited once per paid period, however often and in whatever order events arrive', async () => {
    await subscribe(owner);
    await deliverAll();
    expect((await balanceOf(owner.organizationId)).credits).toBe(2_600);
    await sandbox.advancePaymentClock(32);
    await sandbox.advancePaymentClock(31);

    await deliverAll((events) => events.toReversed());
    await deliverAll();

    const credited = await allowances();
    expect(credited).toMatchObject([
      { credits: 2_500, amountCents: 2_900, description: 'Monthly credits of Starter' },
      { credits: 2_500, amountCents: 2_900 },
      { credits: 2_500, amountCents: 2_900 },
    ]);
    const { data } = await provider.invoices.list({ status: 'paid' });
    expect(credited.map(({ reference }) => reference).sort()).toEqual(
      data.map(({ id }) => id).sort(),
    );
    await expectBalanced(owner.organizationId);
    const listed = await call(listTransactions, {
      token: owner.token,
      query: { type: 'subscription_credit' },
    });
    expect(listed.body.pagination.total).toBe(3);
    expect(listed.body.transactions[0]).toMatchObject({ amount: 29, credits: 2_500 });
    expect((await call(listLedger, { token: owner.token })).body.balance).toBe(7_600);
  });

  it('is credited once for an event delivered twenty times concurrently', async () => {
    await subscribe(owner);
    const events = await sandbox.paymentEvents();
    const paid = events.find(({ type }) => type === 'invoice.paid');

    await Promise.all(
      Array.from({ length: 20 }, () => deliver(paid?.payload ?? '', paid?.signature ?? '')),
    );
    const [invoice] = (await provider.invoices.list({})).data;
    const again = await sandbox.sendPaymentEvent({
      type: 'invoice.paid',
      object: { id: invoice?.id },
    });
    await deliver(again.payload, again.signature);
    await drainWork('payment-events');

    expect(await allowances()).toHaveLength(1);
    await expectBalanced(owner.organizationId);
  });

  it('is credited with the first payment after a trial, not at its start', async () => {
    process.env.BILLING_PLANS = JSON.stringify([
      {
        id: 'tryout',
        name: 'Tryout',
        lookupKey: 'growth_monthly',
        amountCents: 9_900,
        monthlyCredits: 500,
        trialDays: 14,
      },
    ]);
    await subscribe(owner, { planId: 'tryout' });
    await deliverAll();
    expect(await allowances()).toEqual([]);

    await sandbox.advancePaymentClock(15);
    await deliverAll();

    expect(await allowances()).toMatchObject([{ credits: 500, amountCents: 9_900 }]);
    expect((await read()).status).toBe('active');
  });

  it('is not credited for an unpaid invoice that an event reports as paid', async () => {
    await subscribe(owner);
    await deliverAll();
    await giveCard(owner.organizationId, 'pm_card_chargeCustomerFail');
    const [subscription] = await atProvider();
    await provider.subscriptions.update(subscription?.id ?? '', { default_payment_method: '' });
    await sandbox.advancePaymentClock(32);
    const [open] = (await provider.invoices.list({ status: 'open' })).data;
    const { payload, signature } = await sandbox.sendPaymentEvent({
      type: 'invoice.paid',
      object: { id: open?.id, status: 'paid' },
    });

    await deliver(payload, signature);
    await drainWork('payment-events');

    expect(await allowances()).toHaveLength(1);
  });
});

describe('subscription events', () => {
  it('lead to the same state in any order', async () => {
    await subscribe(owner);
    const [subscription] = await atProvider();
    await provider.subscriptions.update(subscription?.id ?? '', { cancel_at_period_end: true });
    const wanted = new Set([
      'customer.subscription.created',
      'invoice.created',
      'invoice.paid',
      'customer.subscription.updated',
    ]);
    const told = (await sandbox.paymentEvents()).filter(({ type }) => wanted.has(type));
    expect(told).toHaveLength(4);

    for (const order of orders(told)) {
      for (const { type } of order) {
        const id = type.startsWith('invoice') ? subscription?.latest_invoice : subscription?.id;
        const sent = await sandbox.sendPaymentEvent({ type, object: { id } });
        await deliver(sent.payload, sent.signature);
        await drainWork('payment-events');
      }
      expect(await read()).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
      expect(await allowances()).toHaveLength(1);
    }
  });

  it('track a declined card until a valid one pays, and every state can be read', async () => {
    await subscribe(owner);
    await deliverAll();
    const [subscription] = await atProvider();
    await giveCard(owner.organizationId, 'pm_card_chargeCustomerFail');
    await provider.subscriptions.update(subscription?.id ?? '', { default_payment_method: '' });

    await sandbox.advancePaymentClock(32);
    await deliverAll();
    expect((await read()).status).toBe('past_due');
    expect(await allowances()).toHaveLength(1);
    await deliverAll((events) => events.toReversed());
    const mails = await unpaidMails();
    expect(mails.map(({ text }) => text?.includes("We'll retry"))).toEqual([true]);

    await giveCard(owner.organizationId, 'pm_card_visa');
    await sandbox.advancePaymentClock(4);
    await deliverAll();
    expect((await read()).status).toBe('active');
    expect(await allowances()).toHaveLength(2);
    await expectBalanced(owner.organizationId);
  });

  describe('for a subscription with an unpaid period', () => {
    /**
     * Makes payments fail for this many days, in which the provider may still retry or may have
     * stopped.
     */
    async function failPaymentsFor(days: number): Promise<string> {
      await subscribe(owner);
      const bad = await giveCard(owner.organizationId, 'pm_card_chargeCustomerFail');
      expect((await choose(bad)).status).toBe(200);
      await sandbox.advancePaymentClock(days);
      await deliverAll();

      return bad;
    }
    const choose = (card: string) =>
      call(setDefaultPaymentMethod, { token: owner.token, params: { payment_method_id: card } });
    const add = (paymentMethodId: string) =>
      call(addPaymentMethod, { token: owner.token, body: { paymentMethodId } });

    it.each([
      ['past_due', 32],
      ['unpaid', 50],
      ['unpaid', 90],
    ])('reactivate it when a card is added while it is %s, after %i days', async (status, days) => {
      await failPaymentsFor(days);
      expect((await read()).status).toBe(status);

      expect((await add('pm_card_visa')).status).toBe(201);

      await deliverAll();
      expect((await read()).status).toBe('active');
      expect(await allowances()).toHaveLength(2);
      await expectBalanced(owner.organizationId);
    });

    it('keep another declined card, and pay once a valid card is chosen', async () => {
      const bad = await failPaymentsFor(50);
      const [good = ''] = (await listed()).filter((id) => id !== bad);

      expect((await add('pm_card_chargeCustomerFail')).status).toBe(201);
      await deliverAll();
      expect((await read()).status).toBe('unpaid');
      expect(await listed()).toHaveLength(3);

      expect((await choose(good)).status).toBe(200);
      await deliverAll();
      expect((await read()).status).toBe('active');
      expect(await allowances()).toHaveLength(2);
    });

    it.each([400, 500])(
      'keep an added card even when the payment fails with %i',
      async (status) => {
        await failPaymentsFor(50);
        const error = { type: 'invalid_request_error', message: 'Invoice is already paid' };
        const fault = { service: 'stripe', path: '/v1/invoices', mode: 'error' } as const;
        await sandbox.addFault({ ...fault, status, body: { error } });

        const { status: answered, body } = await add('pm_card_visa');

        expect([answered, await defaultCardOf(owner.organizationId)]).toEqual([
          201,
          body.paymentMethodId,
        ]);
      },
    );

    it.each([
      ['is canceled', cancelSubscription],
      ['is paused', pauseSubscription],
    ])('charge nothing when it %s', async (_, end) => {
      await failPaymentsFor(50);
      expect((await call(end, { token: owner.token })).status).toBe(200);

      expect((await add('pm_card_visa')).status).toBe(201);

      expect((await provider.invoices.list({ status: 'open' })).data).toHaveLength(1);
    });

    it('charge nothing when a card is removed', async () => {
      const bad = await failPaymentsFor(50);
      const params = { payment_method_id: bad };

      expect((await call(removePaymentMethod, { token: owner.token, params })).status).toBe(200);

      expect((await provider.invoices.list({ status: 'open' })).data).toHaveLength(1);
    });
  });

  it('set it to unpaid when no card pays', async () => {
    await subscribe(owner);
    const [subscription] = await atProvider();
    await giveCard(owner.organizationId, 'pm_card_chargeCustomerFail');
    await provider.subscriptions.update(subscription?.id ?? '', { default_payment_method: '' });

    await sandbox.advancePaymentClock(60);
    await deliverAll();

    expect((await read()).status).toBe('unpaid');
    expect((await subscribe(owner)).status).toBe(409);
    const mails = await unpaidMails();
    expect(mails.filter(({ text }) => text?.includes('the last attempt'))).toHaveLength(1);
    await deliverAll();
    expect(await unpaidMails()).toHaveLength(mails.length);
  });

  // For each Stripe status: our status, and whether it prevents a second subscription.
  it.each([
    ['trialing', 'trialing', true],
    ['active', 'active', true],
    ['past_due', 'past_due', true],
    ['unpaid', 'unpaid', true],
    ['paused', 'paused', true],
    ['incomplete', 'incomplete', true],
    ['incomplete_expired', undefined, false],
    ['canceled', undefined, false],
  ] as const)('support the Stripe status %s', async (status, readAs, isCurrent) => {
    await subscribe(owner);
    await deliverAll();
    const [subscription] = await atProvider();
    const path = `^/v1/subscriptions/${subscription?.id}$`;
    const body = { ...subscription, status };
    const answer = { mode: 'error', status: 200, body } as const;
    await sandbox.addFault({ service: 'stripe', method: 'GET', path, ...answer });
    const type = 'customer.subscription.updated';
    const sent = await sandbox.sendPaymentEvent({ type, object: { id: subscription?.id, status } });

    await deliver(sent.payload, sent.signature);
    await drainWork('payment-events');

    const shown = await call(getSubscription, { token: owner.token });
    expect(shown.body.subscription?.status).toBe(readAs);
    expect(shown.status).toBe(isCurrent ? 200 : 404);
    expect(await repliesArePaused(owner.organizationId)).toBe(status === 'paused');
    expect((await subscribe(owner)).status).toBe(isCurrent ? 409 : 201);
    const customer = await customerOf(owner.organizationId);
    await sandbox.clearFaults();
    await remove();
    await drainWork();
    const left = await atProvider(customer);
    expect(left.filter(({ ended_at: endedAt }) => endedAt === null)).toEqual([]);
  });

  it("are ignored for the customer's other subscriptions and for unknown customers", async () => {
    await subscribe(owner);
    await deliverAll();
    const before = await read();
    const { data } = await provider.prices.list({ lookup_keys: ['scale_monthly'] });
    const other = await provider.subscriptions.create({
      customer: await customerOf(owner.organizationId),
      items: [{ price: data[0]?.id ?? '' }],
      payment_behavior: 'default_incomplete',
    });
    await provider.subscriptions.cancel(other.id);
    const stranger = await sandbox.sendPaymentEvent({
      type: 'customer.subscription.updated',
      object: { id: before.id, customer: 'cus_Stranger' },
    });
    await deliver(stranger.payload, stranger.signature);

    await deliverAll();

    expect(await read()).toEqual(before);
    expect(await allowances()).toHaveLength(1);
  });
});

describe('deleting an organization', () => {
  it('cancels its subscription at the provider', async () => {
    await subscribe(owner);
    const customer = await customerOf(owner.organizationId);

    await remove();
    await drainWork();

    expect(await atProvider(customer)).toMatchObject([{ status: 'canceled' }]);
    await deliverAll();
  });

  it('cancels its subscription even if the provider is down during the deletion', async () => {
    await subscribe(owner);
    const customer = await customerOf(owner.organizationId);
    await sandbox.addFault({ service: 'stripe', mode: 'down' });
    await remove();
    await drainWork();
    await sandbox.clearFaults();
    expect(await atProvider(customer)).toMatchObject([{ status: 'active' }]);

    setClock(() => Date.now() + 10 * minuteMs);
    await runDueWork();

    expect(await atProvider(customer)).toMatchObject([{ status: 'canceled' }]);
  });

  it('cancels a subscription whose creation got no response', async () => {
    const customer = await customerOf(owner.organizationId);
    await sandbox.addFault({
      service: 'stripe',
      method: 'POST',
      path: '^/v1/subscriptions$',
      mode: 'hang-after',
    });
    expect((await subscribe(owner)).status).toBe(502);
    await sandbox.clearFaults();

    await remove();
    await drainWork();

    expect(await atProvider(customer)).toMatchObject([{ status: 'canceled' }]);
  });
});
