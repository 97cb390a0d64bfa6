import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { refusalOf, startSetup, stripeClient } from './setup.ts';

describe('customers', () => {
  test('creates, reads, updates, and deletes customers', async () => {
    const { stripe } = await startSetup();
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
    const { stripe, advance } = await startSetup();
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
    const { stripe } = await startSetup();

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
    const { stripe } = await startSetup();

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
    const { stripe } = await startSetup();

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
    const { stripe } = await startSetup();

    const refusal = await refusalOf(stripe.customers.create(params as Stripe.CustomerCreateParams));

    expect(refusal).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      ...error,
    });
    expect((await stripe.customers.list()).data).toEqual([]);
  });

  test('treats prototype names such as __proto__ as ordinary fields', async () => {
    const { stripe } = await startSetup();
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
    const { stripe } = await startSetup();

    expect(await refusalOf(stripe.customers.list(params))).toMatchObject({
      statusCode: 400,
      message,
    });
  });

  test('returns 404 with the parameter name for an unknown customer', async () => {
    const { stripe } = await startSetup();

    expect(await refusalOf(stripe.customers.retrieve('cus_no'))).toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
      message: "No such customer: 'cus_no'",
    });
  });
});

describe('search', () => {
  async function startShop() {
    const world = await startSetup();
    for (const [name, plan] of [
      ['Ada Lovelace', 'pro'],
      ['Charles Babbage', 'free'],
      ["Mary O'Brien", 'pro'],
    ] as const) {
      const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
      await world.stripe.customers.create({ name, email, metadata: { plan } });
      world.advance(10_000);
    }
    const gone = await world.stripe.customers.create({ name: 'Gone', metadata: { plan: 'pro' } });
    await world.stripe.customers.del(gone.id);

    return world;
  }

  test.each([
    ["email:'ADA@example.com'", ['Ada Lovelace']],
    ["email~'example'", ["Mary O'Brien", 'Charles Babbage', 'Ada Lovelace']],
    ["name:'Ada'", []],
    ['name:"Mary O\'Brien"', ["Mary O'Brien"]],
    ["name:'Mary O\\'Brien'", ["Mary O'Brien"]],
    ["metadata['plan']:'pro' AND -name~'ada'", ["Mary O'Brien"]],
    ['metadata["plan"]:"free" OR name~"love"', ['Charles Babbage', 'Ada Lovelace']],
    ["-metadata['plan']:null AND -metadata['plan']:'pro'", ['Charles Babbage']],
    ['created>0 AND created<1', []],
    ["phone:null and name~'bab'", ['Charles Babbage']],
  ])('finds customers by %s', async (query, names) => {
    const { stripe } = await startShop();

    expect((await stripe.customers.search({ query })).data.map(({ name }) => name)).toEqual(names);
  });

  test('returns pages', async () => {
    const { stripe } = await startShop();
    const query = "email~'example'";
    const first = await stripe.customers.search({ query, limit: 2 });
    const walked: unknown[] = [];
    for await (const { name } of stripe.customers.search({ query, limit: 2 })) {
      walked.push(name);
    }

    expect(first).toMatchObject({ object: 'search_result', url: '/v1/customers/search' });
    expect(first.data).toHaveLength(2);
    expect(first.has_more).toBe(true);
    expect(walked).toEqual(["Mary O'Brien", 'Charles Babbage', 'Ada Lovelace']);
  });

  test.each([
    '',
    'Ada',
    "address:'Ada'",
    "__proto__:'Ada'",
    "metadata:'pro'",
    "name['a']:'Ada'",
    "name~'ad'",
    "name>'Ada'",
    "created:'today'",
    "created~'170'",
    "name:'Ada' name:'Ada'",
    "name:'Ada' AND",
    "name:'a' AND name:'b' OR name:'c'",
    "name:'Ada",
    Array.from({ length: 11 }, () => "name:'Ada'").join(' OR '),
  ])('rejects the query %s', async (query) => {
    const { stripe } = await startSetup();

    expect(await refusalOf(stripe.customers.search({ query }))).toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      param: 'query',
    });
  });

  test('requires a query', async () => {
    const { url } = await startSetup();
    const headers = { authorization: 'Bearer sk_test_sandbox' };
    const response = await fetch(`${url}/v1/customers/search`, { headers });

    expect([response.status, (await response.json()).error.code]).toEqual([
      400,
      'parameter_missing',
    ]);
  });

  test('finds payments, charges, invoices, subscriptions and prices too', async () => {
    const { stripe } = await startSetup();
    const { id: customer } = await stripe.customers.create({ payment_method: 'pm_card_visa' });
    const [card] = (await stripe.customers.listPaymentMethods(customer)).data;
    const payment = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      customer,
      payment_method: card?.id ?? '',
      off_session: true,
      confirm: true,
    });
    const price = await stripe.prices.create({
      currency: 'usd',
      unit_amount: 900,
      recurring: { interval: 'month' },
      product_data: { name: 'Pro' },
      lookup_key: 'searched',
    });
    const subscription = await stripe.subscriptions.create({
      customer,
      items: [{ price: price.id }],
      default_payment_method: card?.id ?? '',
      metadata: { plan: 'pro' },
    });
    const found = await Promise.all([
      stripe.paymentIntents.search({ query: `customer:'${customer}' AND amount:500` }),
      stripe.charges.search({ query: `customer:'${customer}' AND amount<=500` }),
      stripe.invoices.search({ query: `customer:'${customer}' AND total>=900` }),
      stripe.subscriptions.search({ query: "status:'active' AND metadata['plan']:'pro'" }),
      stripe.prices.search({ query: "lookup_key:'searched' AND active:'true'" }),
    ]);

    expect(found.map(({ data }) => data.map(({ id }) => id))).toEqual([
      [payment.id],
      [payment.latest_charge],
      [subscription.latest_invoice],
      [subscription.id],
      [price.id],
    ]);
  });
});

describe('API key', () => {
  test.each([
    [undefined, 'You did not provide an API key.'],
    ['Bearer nothing', 'Invalid API Key provided: nothing'],
    ['Bearer sk_test_wrong', 'Invalid API Key provided: sk_test_*rong'],
    ['Bearer sk_test_sandbox_', 'Invalid API Key provided: sk_test_****box_'],
    ['Bearer rk_test_sandbox', 'Invalid API Key provided: rk_test_***dbox'],
    ['Bearer pk_test_123456789abcd', 'Invalid API Key provided: pk_test_*********abcd'],
  ])('returns 401 for the authorization %s', async (authorization, message) => {
    const { url } = await startSetup();

    const response = await fetch(`${url}/v1/customers`, {
      headers: authorization === undefined ? {} : { authorization },
    });

    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: { type: 'invalid_request_error', message: expect.stringContaining(message) },
    });
  });

  test('accepts only the key in the secret', async () => {
    const secrets = { service: JSON.stringify({ stripeSecretKey: 'rk_live_configured' }) };
    const { port } = await startSetup(secrets);

    expect(await refusalOf(stripeClient(port).customers.list())).toMatchObject({ statusCode: 401 });
    expect((await stripeClient(port, {}, 'rk_live_configured').customers.list()).data).toEqual([]);
  });

  test('can be rotated, and a retry with the new key counts as the same request', async () => {
    const { port, control } = await startSetup();
    const [before, after] = [stripeClient(port), stripeClient(port, {}, 'sk_test_rotated')];
    const create = (client: Stripe) =>
      client.customers.create({ name: 'Ada' }, { idempotencyKey: 'once' });
    expect(await refusalOf(after.customers.list())).toMatchObject({
      statusCode: 401,
      message: 'Invalid API Key provided: sk_test_***ated',
    });

    await control.setApiKeys('stripe', ['sk_test_sandbox', 'sk_test_rotated']);
    const [first, second] = [await create(before), await create(after)];
    await control.setApiKeys('stripe', ['sk_test_rotated']);

    expect(second.id).toBe(first.id);
    expect(await refusalOf(before.customers.list())).toMatchObject({
      statusCode: 401,
      code: 'api_key_expired',
      message: 'Expired API Key provided: sk_test_***dbox',
    });
    expect((await after.customers.list()).data).toHaveLength(1);

    await control.reset();
    expect((await before.customers.list()).data).toEqual([]);
  });

  test('accepts the key through basic authentication', async () => {
    const { url } = await startSetup();
    const authorization = `Basic ${Buffer.from('sk_test_sandbox:').toString('base64')}`;

    const response = await fetch(`${url}/v1/customers`, { headers: { authorization } });

    expect(response.status).toBe(200);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    expect(response.headers.get('stripe-version')).toBeTruthy();
  });
});
