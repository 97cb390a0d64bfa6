import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { refusalOf, startWorld } from './sandbox-world.ts';

describe('customers', () => {
  test('creates, reads, updates, and deletes customers', async () => {
    const { stripe } = await startWorld();
    const created = await stripe.customers.create({
      email: 'ada@example.com',
      name: 'Ada',
      metadata: { organization: 'o1', extra: 'x' },
    });

    const updated = await stripe.customers.update(created.id, {
      name: 'Ada Lovelace',
      email: '',
      metadata: { extra: '', more: 'y' },
    });

    expect(created).toMatchObject({
      object: 'customer',
      email: 'ada@example.com',
      livemode: false,
    });
    expect(created.id).toMatch(/^cus_\w{14}$/);
    expect(updated).toMatchObject({
      name: 'Ada Lovelace',
      email: null,
      metadata: { organization: 'o1', more: 'y' },
    });
    expect(updated.metadata).not.toHaveProperty('extra');
    expect(await stripe.customers.retrieve(created.id)).toEqual(
      expect.objectContaining({ id: created.id, name: 'Ada Lovelace' }),
    );

    expect(await stripe.customers.del(created.id)).toMatchObject({
      id: created.id,
      object: 'customer',
      deleted: true,
    });
    expect(await stripe.customers.retrieve(created.id)).toMatchObject({ deleted: true });
    expect((await stripe.customers.list()).data).toEqual([]);
    expect(await refusalOf(stripe.customers.update(created.id, {}))).toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    });
  });

  test('lists customers newest first, by e-mail and by time, in pages', async () => {
    const { stripe, advance } = await startWorld();
    const names = ['one', 'two', 'three', 'four', 'five'];

    for (const name of names) {
      await stripe.customers.create({ name, email: `${name}@example.com` });
      advance(10_000);
    }

    const page = await stripe.customers.list({ limit: 2 });
    const walked: string[] = [];
    for await (const customer of stripe.customers.list({ limit: 2 })) {
      walked.push(customer.name ?? '');
    }
    const third = page.data[1]?.created ?? 0;

    expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/customers' });
    expect(walked).toEqual(names.toReversed());
    expect((await stripe.customers.list({ email: 'two@example.com' })).data).toMatchObject([
      { name: 'two' },
    ]);
    expect((await stripe.customers.list({ email: 'TWO@example.com' })).data).toEqual([]);
    expect((await stripe.customers.list({ created: { gte: third } })).data).toHaveLength(2);
    expect((await stripe.customers.list({ created: { lt: third } })).data).toHaveLength(3);
  });

  test('creates a customer with a default card in one call', async () => {
    const { stripe } = await startWorld();

    const customer = await stripe.customers.create({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
      expand: ['invoice_settings.default_payment_method'],
    });

    const cards = await stripe.customers.listPaymentMethods(customer.id, { type: 'card' });
    expect(customer.invoice_settings.default_payment_method).toMatchObject({
      object: 'payment_method',
      id: cards.data[0]?.id,
      customer: customer.id,
      card: { brand: 'visa', last4: '4242', funding: 'credit', country: 'US' },
    });
    expect(cards.data).toHaveLength(1);
    expect(cards.data[0]?.id).toMatch(/^pm_1\w{23}$/);
  });

  test.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
    [
      'pm_card_chargeDeclinedInsufficientFunds',
      'card_declined',
      'insufficient_funds',
      'Your card has insufficient funds.',
    ],
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', '', 'Your card has expired.'],
  ])('rejects %s and creates no customer', async (payment_method, code, decline, message) => {
    const { stripe } = await startWorld();

    expect(await refusalOf(stripe.customers.create({ payment_method }))).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code,
      decline_code: decline,
      message,
      requestId: expect.stringMatching(/^req_/),
    });
    expect((await stripe.customers.list()).data).toEqual([]);
  });

  test('rejects an unknown payment method and creates no customer', async () => {
    const { stripe } = await startWorld();

    expect(await refusalOf(stripe.customers.create({ payment_method: 'pm_no' }))).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      code: 'resource_missing',
      param: 'payment_method',
      message: "No such PaymentMethod: 'pm_no'",
    });
    expect((await stripe.customers.list()).data).toEqual([]);
  });

  test.each<[string, Stripe.CustomerCreateParams | Record<string, unknown>, object]>([
    [
      'an unknown parameter',
      { colour: 'red' },
      { code: 'parameter_unknown', param: 'colour', message: 'Received unknown parameter: colour' },
    ],
    [
      'an unknown nested parameter',
      { invoice_settings: { colour: 'red' } },
      { code: 'parameter_unknown', param: 'invoice_settings[colour]' },
    ],
    [
      'two unknown parameters',
      { colour: 'red', size: 'L' },
      { message: 'Received unknown parameters: colour, size' },
    ],
    [
      'an invalid e-mail address',
      { email: 'ada' },
      { code: 'email_invalid', param: 'email', message: 'Invalid email address: ada' },
    ],
    ['an empty id', { payment_method: '' }, { code: 'parameter_invalid_empty' }],
    ['metadata that is not an object', { metadata: 'x' }, { param: 'metadata' }],
    [
      'a metadata value that is too long',
      { metadata: { a: 'x'.repeat(501) } },
      { param: 'metadata[a]' },
    ],
    ['a name that is too long', { name: 'x'.repeat(257) }, { param: 'name' }],
    [
      'a parameter that the sandbox does not model',
      { tax: { ip_address: '1.1.1.1' } },
      { param: 'tax' },
    ],
  ])('rejects %s and creates no customer', async (_what, params, error) => {
    const { stripe } = await startWorld();

    const refusal = await refusalOf(stripe.customers.create(params as Stripe.CustomerCreateParams));

    expect(refusal).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      ...error,
    });
    expect((await stripe.customers.list()).data).toEqual([]);
  });

  test('treats prototype names such as __proto__ as ordinary fields', async () => {
    const { stripe } = await startWorld();
    const body = JSON.parse('{ "__proto__": { "email": "eve@example.com" } }');

    expect(await refusalOf(stripe.customers.create(body))).toMatchObject({
      code: 'parameter_unknown',
    });
    expect((await stripe.customers.create({ metadata: { constructor: 'x' } })).metadata).toEqual({
      constructor: 'x',
    });
  });

  test.each([
    [{ limit: 0 }, "This value must be greater than or equal to 1 (it currently is '0')."],
    [{ limit: 101 }, "This value must be less than or equal to 100 (it currently is '101')."],
    [{ starting_after: 'cus_no' }, "No such object: 'cus_no'"],
  ])('rejects the list parameters %j', async (params, message) => {
    const { stripe } = await startWorld();

    expect(await refusalOf(stripe.customers.list(params))).toMatchObject({
      statusCode: 400,
      message,
    });
  });

  test('returns 404 with the parameter name for an unknown customer', async () => {
    const { stripe } = await startWorld();

    expect(await refusalOf(stripe.customers.retrieve('cus_no'))).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
      message: "No such customer: 'cus_no'",
    });
  });
});

describe('API key', () => {
  test.each([
    [undefined, 'You did not provide an API key.'],
    ['Bearer nothing', 'Invalid API Key provided: nothing'],
    ['Bearer pk_test_123456789abcd', 'Invalid API Key provided: pk_test_*********abcd'],
  ])('returns 401 for the authorization %s', async (authorization, message) => {
    const { url } = await startWorld();

    const response = await fetch(`${url}/v1/customers`, {
      headers: authorization === undefined ? {} : { authorization },
    });

    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: { type: 'invalid_request_error', message: expect.stringContaining(message) },
    });
  });

  test('accepts the key through basic authentication', async () => {
    const { url } = await startWorld();
    const authorization = `Basic ${Buffer.from('sk_test_sandbox:').toString('base64')}`;

    const response = await fetch(`${url}/v1/customers`, { headers: { authorization } });

    expect(response.status).toBe(200);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    expect(response.headers.get('stripe-version')).toBeTruthy();
  });
});
