import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { refusalOf, startSetup, type World } from './setup.ts';

const secret = 'whsec_sandbox';

async function customerWith(world: World, card: string) {
  const customer = await world.stripe.customers.create({ email: 'ada@example.com' });
  const method = await world.stripe.paymentMethods.attach(card, { customer: customer.id });

  return { customer: customer.id, payment_method: method.id };
}

const payment = { amount: 2_500, currency: 'usd', confirm: true } as const;

describe('payment intents', () => {
  it('a confirmed payment succeeds, sends an event, and cannot be confirmed again or canceled', async () => {
    const world = await startSetup();
    const paid = await world.stripe.paymentIntents.create({
      ...payment,
      ...(await customerWith(world, 'pm_card_visa')),
      metadata: { payment_id: 'one' },
    });

    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2_500, currency: 'usd' });
    expect(await refusalOf(world.stripe.paymentIntents.confirm(paid.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    expect(await refusalOf(world.stripe.paymentIntents.cancel(paid.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    const events = await world.control.paymentEvents();
    expect(events.map(({ type }) => type)).toEqual([
      'payment_intent.created',
      'payment_intent.succeeded',
    ]);
    const told = world.stripe.webhooks.constructEvent(
      events[1]?.payload ?? '',
      events[1]?.signature ?? '',
      secret,
    );
    expect(told.data.object).toMatchObject({ id: paid.id, metadata: { payment_id: 'one' } });
  });

  it.each([
    ['pm_card_chargeCustomerFail', {}, 'card_declined'],
    ['pm_card_authenticationRequired', { off_session: true }, 'authentication_required'],
    [
      'pm_card_authenticationRequired',
      { error_on_requires_action: true },
      'authentication_required',
    ],
  ])('a payment with %s and %j is rejected with %s', async (card, manner, code) => {
    const world = await startSetup();
    const own = await customerWith(world, card);

    const refusal = await refusalOf(
      world.stripe.paymentIntents.create({ ...payment, ...own, ...manner }),
    );

    expect(refusal).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(refusal).toMatchObject({ statusCode: 402, code });
    const { data } = await world.stripe.paymentIntents.list({ customer: own.customer });
    expect(data).toMatchObject([
      { status: 'requires_payment_method', last_payment_error: { code } },
    ]);
  });

  it('an on-session payment waits for the cardholder to authenticate', async () => {
    const world = await startSetup();
    const own = await customerWith(world, 'pm_card_authenticationRequired');

    expect((await world.stripe.paymentIntents.create({ ...payment, ...own })).status).toBe(
      'requires_action',
    );
  });

  it('a payment with the card of another customer is rejected', async () => {
    const world = await startSetup();
    const { customer } = await customerWith(world, 'pm_card_visa');
    const { payment_method } = await customerWith(world, 'pm_card_visa');

    expect(
      await refusalOf(world.stripe.paymentIntents.create({ ...payment, customer, payment_method })),
    ).toMatchObject({ statusCode: 400, param: 'payment_method' });
  });

  it('an idempotency key creates one payment and is rejected for a different one', async () => {
    const world = await startSetup();
    const own = await customerWith(world, 'pm_card_visa');
    const options = { idempotencyKey: 'one' };
    const [first, again] = [
      await world.stripe.paymentIntents.create({ ...payment, ...own }, options),
      await world.stripe.paymentIntents.create({ ...payment, ...own }, options),
    ];

    expect(again.id).toBe(first.id);
    expect(
      await refusalOf(
        world.stripe.paymentIntents.create({ ...payment, ...own, amount: 1 }, options),
      ),
    ).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it('a payment can be refunded once', async () => {
    const world = await startSetup();
    const own = await customerWith(world, 'pm_card_visa');
    const { id } = await world.stripe.paymentIntents.create({ ...payment, ...own });

    expect((await world.stripe.refunds.create({ payment_intent: id })).amount).toBe(2_500);
    expect(await refusalOf(world.stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'charge_already_refunded',
    });
  });
});

describe('sendPaymentEvent', () => {
  it('sends the stored object, overridden by the requested fields', async () => {
    const world = await startSetup();
    const { customer } = await customerWith(world, 'pm_card_visa');

    const sent = await world.control.sendPaymentEvent({
      type: 'customer.updated',
      object: { id: customer, name: 'Grace' },
    });

    expect(JSON.parse(sent.payload)).toMatchObject({
      type: 'customer.updated',
      data: { object: { id: customer, name: 'Grace', email: 'ada@example.com' } },
    });
    expect(sent.responses).toEqual([]);
  });

  it.each([{}, { type: '', object: {} }, { type: 'x', object: 1 }])(
    'rejects the request %j',
    async (body) => {
      const world = await startSetup();
      const answer = await fetch(`${world.url}/_sandbox/stripe/events`, {
        method: 'POST',
        body: JSON.stringify(body),
      });

      expect(answer.status).toBe(400);
    },
  );
});
