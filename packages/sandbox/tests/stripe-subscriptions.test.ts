import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { refusalOf, startSetup, type World } from './setup.ts';

const days = (from: number, to: number) => Math.round((to - from) / 86_400);

/** Creates a customer with a card, and returns it with the price of a plan. */
async function buyer({ stripe }: World, card = 'pm_card_visa') {
  const customer = await stripe.customers.create({ payment_method: card });
  const methods = await stripe.customers.listPaymentMethods(customer.id);
  const prices = await stripe.prices.list({ lookup_keys: ['starter_monthly'], active: true });

  return {
    customer: customer.id,
    default_payment_method: methods.data[0]?.id ?? '',
    items: [{ price: prices.data[0]?.id ?? '' }],
  };
}

function statuses({ data }: { data: readonly Stripe.Invoice[] }) {
  return data.map(({ status }) => status);
}

async function eventTypes({ control }: World) {
  return (await control.paymentEvents()).map(({ type }) => type);
}

describe('subscriptions', () => {
  test('the item contains the period, and the paid invoice refers to its subscription in parent', async () => {
    const world = await startSetup();
    const order = await buyer(world);

    const made = await world.stripe.subscriptions.create({ ...order, metadata: { plan_id: 's' } });

    const [item] = made.items.data;
    expect(made).toMatchObject({ status: 'active', cancel_at_period_end: false, trial_end: null });
    expect(made).not.toHaveProperty('current_period_end');
    expect(days(item?.current_period_start ?? 0, item?.current_period_end ?? 0)).toBeGreaterThan(
      27,
    );
    expect(item?.price).toMatchObject({ unit_amount: 2_900, lookup_key: 'starter_monthly' });
    const invoice = await world.stripe.invoices.retrieve(String(made.latest_invoice));
    expect(invoice).toMatchObject({
      status: 'paid',
      total: 2_900,
      amount_paid: 2_900,
      billing_reason: 'subscription_create',
      parent: { subscription_details: { subscription: made.id, metadata: { plan_id: 's' } } },
    });
    expect(invoice.lines.data[0]?.period.end).toBe(item?.current_period_end);
    expect(await eventTypes(world)).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
  });

  test.each([
    ['pm_card_chargeCustomerFail', 'card_declined'],
    ['pm_card_authenticationRequired', 'subscription_payment_intent_requires_action'],
  ])(
    'with %s and error_if_incomplete, creation returns 402 and stores nothing',
    async (card, code) => {
      const world = await startSetup();
      const order = await buyer(world, card);
      const strict = { ...order, payment_behavior: 'error_if_incomplete' as const };

      const refusal = await refusalOf(world.stripe.subscriptions.create(strict));

      expect(refusal).toMatchObject({ statusCode: 402, code, type: 'StripeCardError' });
      expect((await world.stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
      const waiting = await world.stripe.subscriptions.create(order);
      expect(waiting.status).toBe('incomplete');
      await world.control.advancePaymentClock(1);
      expect((await world.stripe.subscriptions.retrieve(waiting.id)).status).toBe(
        'incomplete_expired',
      );
    },
  );

  test('an idempotency key creates one subscription', async () => {
    const world = await startSetup();
    const order = await buyer(world);
    const once = () => world.stripe.subscriptions.create(order, { idempotencyKey: 'one' });

    const [first, again] = [await once(), await once()];

    expect(again.id).toBe(first.id);
    expect((await world.stripe.subscriptions.list()).data).toHaveLength(1);
    const other = world.stripe.subscriptions.create(
      { ...order, trial_period_days: 3 },
      { idempotencyKey: 'one' },
    );
    expect(await refusalOf(other)).toMatchObject({ type: 'StripeIdempotencyError' });
  });

  test('a subscription renews monthly after a free trial', async () => {
    const world = await startSetup();
    const order = await buyer(world);
    const made = await world.stripe.subscriptions.create({ ...order, trial_period_days: 14 });
    expect(made.status).toBe('trialing');

    await world.control.advancePaymentClock(15);
    const afterTrial = await world.stripe.subscriptions.retrieve(made.id);
    await world.control.advancePaymentClock(31);

    expect(afterTrial.status).toBe('active');
    expect(afterTrial.items.data[0]?.current_period_start).toBe(made.trial_end);
    const { data } = await world.stripe.invoices.list();
    expect(data.map(({ total }) => total)).toEqual([2_900, 2_900, 0]);
    expect(data.every(({ status }) => status === 'paid')).toBe(true);
  });

  test('a subscription with paused collection continues with void invoices', async () => {
    const world = await startSetup();
    const made = await world.stripe.subscriptions.create(await buyer(world));
    await world.stripe.subscriptions.update(made.id, { pause_collection: { behavior: 'void' } });
    await world.control.advancePaymentClock(32);
    const resumed = await world.stripe.subscriptions.update(made.id, { pause_collection: '' });

    expect(resumed).toMatchObject({ status: 'active', pause_collection: null });
    expect(statuses(await world.stripe.invoices.list())).toEqual(['void', 'paid']);
  });

  test('a subscription set to cancel ends with its period and can no longer be changed', async () => {
    const world = await startSetup();
    const made = await world.stripe.subscriptions.create(await buyer(world));
    await world.stripe.subscriptions.update(made.id, { cancel_at_period_end: true });

    await world.control.advancePaymentClock(32);

    const ended = await world.stripe.subscriptions.retrieve(made.id);
    expect(ended.status).toBe('canceled');
    expect(ended.ended_at).toBe(made.items.data[0]?.current_period_end);
    expect(statuses(await world.stripe.invoices.list())).toEqual(['paid']);
    expect(await refusalOf(world.stripe.subscriptions.cancel(made.id))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    const change = world.stripe.subscriptions.update(made.id, { cancel_at_period_end: false });
    expect(await refusalOf(change)).toMatchObject({ statusCode: 400 });
    expect(await eventTypes(world)).toContain('customer.subscription.deleted');
  });

  test('an unpaid invoice is retried before the subscription becomes unpaid', async () => {
    const world = await startSetup();
    const order = await buyer(world);
    const made = await world.stripe.subscriptions.create(order);
    const { customer } = order;
    const bad = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer,
    });
    await world.stripe.subscriptions.update(made.id, { default_payment_method: bad.id });

    await world.control.advancePaymentClock(32);
    expect((await world.stripe.subscriptions.retrieve(made.id)).status).toBe('past_due');
    await world.control.advancePaymentClock(20);

    expect((await world.stripe.subscriptions.retrieve(made.id)).status).toBe('unpaid');
    const failures = (await eventTypes(world)).filter((type) => type === 'invoice.payment_failed');
    expect(failures).toHaveLength(4);
  });

  test('an unpaid subscription becomes active when its invoice is paid manually', async () => {
    const world = await startSetup();
    const order = await buyer(world, 'pm_card_chargeCustomerFail');
    const { id } = await world.stripe.subscriptions.create({ ...order, trial_period_days: 1 });
    await world.control.advancePaymentClock(30);
    const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(id);
    const refused = world.stripe.invoices.pay(String(invoice));
    expect(await refusalOf(refused)).toMatchObject({ statusCode: 402, type: 'StripeCardError' });
    const { customer } = order;
    const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer });
    const pay = () => world.stripe.invoices.pay(String(invoice), { payment_method: card.id });

    expect(await pay()).toMatchObject({ status: 'paid', amount_paid: 2_900 });

    expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('active');
    expect(await refusalOf(pay())).toMatchObject({
      statusCode: 400,
      message: 'Invoice is already paid',
    });
  });

  test('an unpaid subscription gets draft invoices, and paying the latest one activates it', async () => {
    const world = await startSetup();
    const order = await buyer(world, 'pm_card_chargeCustomerFail');
    const { id } = await world.stripe.subscriptions.create({ ...order, trial_period_days: 1 });

    await world.control.advancePaymentClock(40);

    const unpaid = await world.stripe.subscriptions.retrieve(id);
    expect(unpaid.status).toBe('unpaid');
    const { data } = await world.stripe.invoices.list();
    expect(data.map(({ status, number }) => [status, number === null])).toEqual([
      ['draft', true],
      ['open', false],
      ['paid', false],
    ]);
    const { customer } = order;
    const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer });
    const payment = { payment_method: card.id };
    const paid = await world.stripe.invoices.pay(String(unpaid.latest_invoice), payment);
    expect(paid).toMatchObject({ id: data[0]?.id, status: 'paid', amount_paid: 2_900 });
    expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('active');
  });

  test('an unpaid subscription set to cancel ends with its period', async () => {
    const world = await startSetup();
    const order = await buyer(world, 'pm_card_chargeCustomerFail');
    const { id } = await world.stripe.subscriptions.create({ ...order, trial_period_days: 1 });
    await world.control.advancePaymentClock(20);
    const unpaid = await world.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(unpaid.status).toBe('unpaid');

    await world.control.advancePaymentClock(31);

    expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('canceled');
  });

  test('a paused subscription does not renew until it is resumed', async () => {
    const world = await startSetup();
    const made = await world.stripe.subscriptions.create(await buyer(world));

    const paused = await world.stripe.subscriptions.pause(made.id);
    await world.control.advancePaymentClock(40);

    expect(paused.status).toBe('paused');
    expect((await world.stripe.invoices.list()).data).toHaveLength(1);
    expect((await world.stripe.subscriptions.resume(made.id)).status).toBe('active');
    expect(await refusalOf(world.stripe.subscriptions.resume(made.id))).toMatchObject({
      statusCode: 400,
    });
  });

  test('a subscription is canceled when its customer is deleted', async () => {
    const world = await startSetup();
    const order = await buyer(world);
    const made = await world.stripe.subscriptions.create(order);

    await world.stripe.customers.del(order.customer);

    expect((await world.stripe.subscriptions.retrieve(made.id)).status).toBe('canceled');
  });
});

describe('changing the price of a subscription', () => {
  async function subscribed(world: World, card?: string) {
    const own = await buyer(world, card);
    const created = await world.stripe.subscriptions.create({ ...own, trial_period_days: 30 });
    await world.control.advancePaymentClock(45);
    const subscription = await world.stripe.subscriptions.retrieve(created.id);
    const { data } = await world.stripe.prices.list({ lookup_keys: ['growth_monthly'] });
    const items = [
      { id: String(subscription.items.data[0]?.id), price: String(data[0]?.id) },
    ] as const;

    return { id: created.id, items: [...items] };
  }

  const priceOf = async ({ stripe }: World, id: string) =>
    (await stripe.subscriptions.retrieve(id)).items.data[0]?.price.lookup_key;

  test('always_invoice charges the difference for the rest of the period', async () => {
    const world = await startSetup();
    const { id, items } = await subscribed(world);

    const changed = await world.stripe.subscriptions.update(id, {
      items,
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      metadata: { plan_id: 'growth' },
    });

    expect(await priceOf(world, id)).toBe('growth_monthly');
    const invoice = await world.stripe.invoices.retrieve(String(changed.latest_invoice));
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', status: 'paid' });
    expect(invoice.parent?.subscription_details?.metadata).toEqual({ plan_id: 'growth' });
    const [unused, remaining] = invoice.lines.data.map(({ amount }) => amount);
    expect(unused).toBeLessThan(0);
    expect(invoice.amount_paid).toBe(Number(unused) + Number(remaining));
    expect(invoice.amount_paid / 7_000).toBeCloseTo(0.5, 1);
  });

  test('with error_if_incomplete, a declined card changes nothing', async () => {
    const world = await startSetup();
    const { id, items } = await subscribed(world);
    const { customer } = await world.stripe.subscriptions.retrieve(id);
    const card = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: String(customer),
    });
    await world.stripe.subscriptions.update(id, { default_payment_method: card.id });

    expect(
      await refusalOf(
        world.stripe.subscriptions.update(id, {
          items,
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
        }),
      ),
    ).toMatchObject({ statusCode: 402, code: 'card_declined' });
    expect(await priceOf(world, id)).toBe('starter_monthly');
  });

  test('without proration, the next period is the first to cost the new price', async () => {
    const world = await startSetup();
    const { id, items } = await subscribed(world);
    await world.stripe.subscriptions.update(id, { items, proration_behavior: 'none' });
    const amounts = async () =>
      (await world.stripe.invoices.list({ subscription: id })).data.map(({ total }) => total);

    expect(await amounts()).toEqual([2_900, 0]);
    await world.control.advancePaymentClock(20);
    expect(await amounts()).toEqual([9_900, 2_900, 0]);
  });

  test('an item or price that does not exist is rejected, and metadata with pending_if_incomplete', async () => {
    const world = await startSetup();
    const { id, items } = await subscribed(world);
    const update = (params: Stripe.SubscriptionUpdateParams) =>
      refusalOf(world.stripe.subscriptions.update(id, params));

    expect(await update({ items: [{ id: 'si_unknown' }] })).toMatchObject({
      code: 'resource_missing',
    });
    expect(await update({ items: [{ id: items[0]?.id ?? '', price: 'price_1' }] })).toMatchObject({
      code: 'resource_missing',
    });
    expect(
      await update({
        items,
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
        metadata: { plan_id: 'growth' },
      }),
    ).toMatchObject({ param: 'metadata' });
  });
});

describe('prices', () => {
  test('a lookup key can be transferred to a newer price', async () => {
    const { stripe } = await startSetup();
    const price = {
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
      product_data: { name: 'Mini' },
      lookup_key: 'mini',
    } as const;
    await stripe.prices.create(price);

    const newer = await stripe.prices.create({ ...price, transfer_lookup_key: true });

    const { data } = await stripe.prices.list({ lookup_keys: ['mini'] });
    expect(data.map(({ id }) => id)).toEqual([newer.id]);
    expect(await stripe.prices.retrieve(newer.id)).toMatchObject({ unit_amount: 500 });
    expect(await refusalOf(stripe.prices.retrieve('price_0'))).toMatchObject({ statusCode: 404 });
  });
});

describe('the invoice PDF', () => {
  test('has a cross-reference table with the offset of each object', async () => {
    const world = await startSetup();
    const made = await world.stripe.subscriptions.create(await buyer(world));
    const invoice = await world.stripe.invoices.retrieve(String(made.latest_invoice));

    const pdf = await (await fetch(String(invoice.invoice_pdf))).text();

    const table = pdf.slice(Number(/startxref\n(\d+)/.exec(pdf)?.[1]));
    const offsets = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at));
    expect(offsets).toHaveLength(5);
    for (const [index, at] of offsets.entries()) {
      expect(pdf.slice(at).startsWith(`${index + 1} 0 obj`)).toBe(true);
    }
    expect(pdf).toContain(`(Number: ${invoice.number})`);
    expect((await fetch(`${world.url}/stripe/invoices/in_0/pdf`)).status).toBe(404);
  });
});

describe('the payment clock', () => {
  test('cannot go back, and returns to the current time on reset', async () => {
    const world = await startSetup();
    for (const advanceDays of [0, -1, 'one']) {
      const answer = await fetch(`${world.url}/_sandbox/stripe/clock`, {
        method: 'POST',
        body: JSON.stringify({ advanceDays }),
      });
      expect(answer.status).toBe(400);
    }
    await world.control.advancePaymentClock(10);
    const ahead = await world.stripe.customers.create({});
    await world.control.reset();
    const home = await world.stripe.customers.create({});

    expect(days(home.created, ahead.created)).toBe(10);
  });
});
