import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { refusalOf, startSetup } from './setup.ts';

describe('payment methods', () => {
  test.each([
    ['pm_card_visa', 'visa', '4242'],
    ['pm_card_mastercard', 'mastercard', '4444'],
    ['pm_card_amex', 'amex', '0005'],
    ['pm_card_authenticationRequired', 'visa', '3184'],
    ['pm_card_chargeCustomerFail', 'visa', '0341'],
  ])('attaches %s', async (id, brand, last4) => {
    const { stripe } = await startSetup();
    const customer = await stripe.customers.create();

    const method = await stripe.paymentMethods.attach(id, { customer: customer.id });

    expect(method).toMatchObject({ customer: customer.id, type: 'card', card: { brand, last4 } });
    expect(method.id).not.toBe(id);
    expect((await stripe.paymentMethods.retrieve(method.id)).customer).toBe(customer.id);
  });

  test('rejects attaching a card that is declined', async () => {
    const { stripe } = await startSetup();
    const customer = await stripe.customers.create();

    const refusal = await refusalOf(
      stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: customer.id }),
    );

    expect(refusal).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toEqual([]);
  });

  test('creates a new payment method each time a test id is attached', async () => {
    const { stripe } = await startSetup();
    const customer = (await stripe.customers.create()).id;

    const first = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const second = await stripe.paymentMethods.attach('pm_card_visa', { customer });

    const listed = await stripe.paymentMethods.list({ customer, type: 'card' });
    expect(listed.data.map((method) => method.id)).toEqual([second.id, first.id]);
    expect(first.card?.fingerprint).toBe(second.card?.fingerprint);
  });

  test('allows attaching twice to the same customer, but not to another one', async () => {
    const { stripe } = await startSetup();
    const [mine, other] = [await stripe.customers.create(), await stripe.customers.create()];
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: mine.id });

    const again = await stripe.paymentMethods.attach(id, { customer: mine.id });
    const refusal = await refusalOf(stripe.paymentMethods.attach(id, { customer: other.id }));

    expect(again.customer).toBe(mine.id);
    expect(refusal).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      message: 'The payment method you provided has already been attached to a customer.',
    });
  });

  test('attaches a payment method created from a token', async () => {
    const { stripe } = await startSetup();
    const customer = (await stripe.customers.create()).id;
    const { id } = await stripe.paymentMethods.create({
      type: 'card',
      card: { token: 'tok_mastercard' },
      billing_details: { name: 'Ada' },
    });

    const attached = await stripe.paymentMethods.attach(id, { customer });

    expect(attached).toMatchObject({ id, customer, billing_details: { name: 'Ada' } });
  });

  test('clears the default on detach, and never allows attaching the payment method again', async () => {
    const { stripe } = await startSetup();
    const customer = await stripe.customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
    const id = String(customer.invoice_settings.default_payment_method);

    expect((await stripe.paymentMethods.detach(id)).customer).toBeNull();

    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    });
    expect(await refusalOf(stripe.paymentMethods.detach(id))).toMatchObject({ statusCode: 400 });
    expect(
      await refusalOf(stripe.paymentMethods.attach(id, { customer: customer.id })),
    ).toMatchObject({ statusCode: 400, message: expect.stringContaining('may not be used again') });
  });

  test('rejects a default payment method that is not attached to the customer', async () => {
    const { stripe } = await startSetup();
    const [mine, other] = [await stripe.customers.create(), await stripe.customers.create()];
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: other.id });

    const choose = (customer: string) =>
      stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });

    expect(await refusalOf(choose(mine.id))).toMatchObject({
      statusCode: 400,
      message: `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    });
    expect((await choose(other.id)).invoice_settings.default_payment_method).toBe(id);
  });

  test('detaches the payment methods of a deleted customer permanently', async () => {
    const { stripe } = await startSetup();
    const [gone, other] = [await stripe.customers.create(), await stripe.customers.create()];
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: gone.id });

    await stripe.customers.del(gone.id);

    expect((await stripe.paymentMethods.retrieve(id)).customer).toBeNull();
    expect(await refusalOf(stripe.paymentMethods.attach(id, { customer: other.id }))).toMatchObject(
      { statusCode: 400 },
    );
    expect(await refusalOf(stripe.customers.listPaymentMethods(gone.id))).toMatchObject({
      statusCode: 404,
    });
  });

  test('rejects attaching to a missing customer', async () => {
    const { stripe } = await startSetup();

    expect(await refusalOf(stripe.paymentMethods.attach('pm_card_visa', {}))).toMatchObject({
      statusCode: 400,
      code: 'parameter_missing',
    });
    expect(
      await refusalOf(stripe.paymentMethods.attach('pm_card_visa', { customer: 'cus_no' })),
    ).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' });
  });

  test('returns 404 with the parameter name for an unknown payment method', async () => {
    const { stripe } = await startSetup();

    expect(await refusalOf(stripe.paymentMethods.retrieve('pm_no'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      param: 'payment_method',
    });
  });

  test('returns 404 for the payment method of another customer', async () => {
    const { stripe } = await startSetup();
    const [mine, other] = [await stripe.customers.create(), await stripe.customers.create()];
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: other.id });

    expect(await stripe.customers.retrievePaymentMethod(other.id, id)).toMatchObject({ id });
    expect(await refusalOf(stripe.customers.retrievePaymentMethod(mine.id, id))).toMatchObject({
      statusCode: 404,
    });
  });
});

describe('setup intents', () => {
  test('saves a card without a charge', async () => {
    const { stripe } = await startSetup();
    const customer = (await stripe.customers.create()).id;

    const intent = await stripe.setupIntents.create({ customer, usage: 'off_session' });
    expect(intent).toMatchObject({
      object: 'setup_intent',
      status: 'requires_payment_method',
      customer,
      usage: 'off_session',
      client_secret: expect.stringMatching(`^${intent.id}_secret_\\w+$`),
    });
    expect(await stripe.setupIntents.retrieve(intent.id)).toMatchObject({ id: intent.id });

    const confirmed = await stripe.setupIntents.confirm(intent.id, {
      payment_method: 'pm_card_visa',
    });
    expect(confirmed.status).toBe('succeeded');
    expect((await stripe.customers.listPaymentMethods(customer)).data).toMatchObject([
      { id: confirmed.payment_method },
    ]);
  });

  test('rejects a declined card on confirmation, and waits when authentication is required', async () => {
    const { stripe } = await startSetup();
    const customer = (await stripe.customers.create()).id;
    const confirm = (payment_method: string) =>
      stripe.setupIntents.create({ customer, payment_method, confirm: true });

    expect(await refusalOf(confirm('pm_card_chargeDeclined'))).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      setup_intent: { object: 'setup_intent' },
    });
    expect((await confirm('pm_card_authenticationRequired')).status).toBe('requires_action');
    expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
  });

  test('rejects a missing customer and an unknown id', async () => {
    const { stripe } = await startSetup();

    expect(await refusalOf(stripe.setupIntents.create({ customer: 'cus_no' }))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'customer',
    });
    expect(await refusalOf(stripe.setupIntents.retrieve('seti_no'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
  });

  test('accepts only its own client secret', async () => {
    const { stripe } = await startSetup();
    const intent = await stripe.setupIntents.create();
    const opened = { client_secret: String(intent.client_secret) };
    const foreign = { client_secret: 'another' };
    const refusal = { statusCode: 400, param: 'client_secret' };

    expect((await stripe.setupIntents.retrieve(intent.id, opened)).id).toBe(intent.id);
    expect(await refusalOf(stripe.setupIntents.retrieve(intent.id, foreign))).toMatchObject(
      refusal,
    );
    expect(
      await refusalOf(
        stripe.setupIntents.confirm(intent.id, {
          ...(foreign as object),
          payment_method: 'pm_card_visa',
        }),
      ),
    ).toMatchObject(refusal);
  });
});

describe.each(['setupIntents', 'paymentIntents'] as const)('method types of %s', (resource) => {
  const create = async (params: object, options: Stripe.RequestOptions = {}) => {
    const { stripe } = await startSetup();

    return resource === 'paymentIntents'
      ? stripe.paymentIntents.create({ amount: 500, currency: 'usd', ...params }, options)
      : stripe.setupIntents.create({ ...params }, options);
  };
  const fixed = { payment_method_types: ['card'] };
  const removed = { statusCode: 400, code: 'payment_method_types_no_longer_supported' };

  test('rejects payment_method_types from API version endive on, and accepts it in older versions', async () => {
    expect(await refusalOf(create(fixed))).toMatchObject({
      ...removed,
      param: 'payment_method_types',
    });
    expect(await refusalOf(create(fixed, { apiVersion: '2026-09-30.endive' }))).toMatchObject(
      removed,
    );
    expect(await create(fixed, { apiVersion: '2026-08-26.dahlia' })).toMatchObject({
      ...fixed,
      automatic_payment_methods: null,
    });
  });

  test('accepts allowed types, and ignores types that the account does not have', async () => {
    const params = { allowed_payment_method_types: ['card', 'ideal'] };

    expect(await create(params)).toMatchObject({ ...params, ...fixed });
  });

  test.each([
    [{ allowed_payment_method_types: ['ideal'] }, { param: 'allowed_payment_method_types' }],
    [{ payment_method_types: ['ideal'] }, { param: 'payment_method_types' }],
    [
      { allowed_payment_method_types: ['card'], automatic_payment_methods: { enabled: true } },
      { code: 'parameters_exclusive' },
    ],
    [{ ...fixed, allowed_payment_method_types: ['card'] }, { code: 'parameters_exclusive' }],
  ])('rejects %j', async (params, refusal) => {
    expect(await refusalOf(create(params, { apiVersion: '2026-08-26.dahlia' }))).toMatchObject({
      statusCode: 400,
      ...refusal,
    });
  });
});
