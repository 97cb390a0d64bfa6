import { describe, expect, test } from 'vitest';
import { refusalOf, startSetup, stripeClient } from './setup.ts';

const idempotencyKey = 'signup-1';
const day = 24 * 60 * 60 * 1_000;

describe('idempotency keys', () => {
  test('replays the first response byte for byte and does no further work', async () => {
    const { url, stripe } = await startSetup();
    const call = () =>
      fetch(`${url}/v1/customers`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': idempotencyKey },
        body: 'name=Ada',
      });

    const first = await call();
    const second = await call();

    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'));
    expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
    expect(await second.text()).toBe(await first.text());
    expect((await stripe.customers.list()).data).toHaveLength(1);
  });

  test('rejects a key that is reused with other parameters', async () => {
    const { stripe } = await startSetup();
    await stripe.customers.create({ name: 'Ada' }, { idempotencyKey });

    const refusal = await refusalOf(stripe.customers.create({ name: 'Eve' }, { idempotencyKey }));

    expect(refusal).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    expect((await stripe.customers.list()).data).toHaveLength(1);
  });

  test('treats reordered parameters as the same request', async () => {
    const { stripe } = await startSetup();

    const one = await stripe.customers.create({ name: 'A', phone: '1' }, { idempotencyKey });
    const two = await stripe.customers.create({ phone: '1', name: 'A' }, { idempotencyKey });

    expect(two.id).toBe(one.id);
  });

  test('rejects a key while its first request is running', async () => {
    const { stripe, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'slow', delayMs: 300, times: 1 });
    const first = stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
    await expect.poll(() => control.requests()).toHaveLength(1);

    const refusal = await refusalOf(stripe.customers.create({ name: 'Ada' }, { idempotencyKey }));

    expect(refusal).toMatchObject({
      rawType: 'idempotency_error',
      statusCode: 409,
      code: 'idempotency_key_in_use',
    });
    const replayed = await first.then(() =>
      stripe.customers.create({ name: 'Ada' }, { idempotencyKey }),
    );
    expect(replayed.id).toBe((await first).id);
    expect((await stripe.customers.list()).data).toHaveLength(1);
  });

  test('replays the result of a request that timed out', async () => {
    const { port, stripe, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'hang-after', times: 1 });

    const customer = await stripeClient(port, {
      timeout: 150,
      maxNetworkRetries: 1,
    }).customers.create({ name: 'Ada' });

    expect((await stripe.customers.list()).data).toMatchObject([{ id: customer.id }]);
  });

  test('replays a declined card', async () => {
    const { stripe } = await startSetup();
    const create = () =>
      stripe.customers.create({ payment_method: 'pm_card_chargeDeclined' }, { idempotencyKey });

    const first = await refusalOf(create());
    const second = await refusalOf(create());

    expect([first, second]).toMatchObject([{ statusCode: 402 }, { statusCode: 402 }]);
    expect(second).toMatchObject({ headers: { 'idempotent-replayed': 'true' } });
  });

  test('does not store a request with invalid parameters', async () => {
    const { stripe } = await startSetup();
    await refusalOf(stripe.customers.create({ email: 'ada' }, { idempotencyKey }));

    const customer = await stripe.customers.create({ email: 'a@b.co' }, { idempotencyKey });

    expect(customer.email).toBe('a@b.co');
  });

  test('does not store a request that failed in an outage', async () => {
    const { stripe, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'down', times: 1 });
    await refusalOf(stripe.customers.create({}, { idempotencyKey }));

    expect((await stripe.customers.create({}, { idempotencyKey })).object).toBe('customer');
  });

  test('keeps a key for 24 hours', async () => {
    const { stripe, advance } = await startSetup();
    const create = () => stripe.customers.create({ name: 'Ada' }, { idempotencyKey });
    const first = await create();

    advance(day - 60_000);
    const sameDay = await create();
    advance(120_000);
    const nextDay = await create();

    expect(sameDay.id).toBe(first.id);
    expect(nextDay.id).not.toBe(first.id);
  });

  test('rejects a key longer than 255 characters', async () => {
    const { stripe } = await startSetup();

    expect(
      await refusalOf(stripe.customers.create({}, { idempotencyKey: 'x'.repeat(256) })),
    ).toMatchObject({ statusCode: 400 });
  });

  test('creates one customer for 50 concurrent requests with the same key', async () => {
    const { stripe } = await startSetup();
    const calls = Array.from({ length: 50 }, () =>
      stripe.customers.create({ name: 'Ada' }, { idempotencyKey }).catch(() => undefined),
    );

    const ids = (await Promise.all(calls)).flatMap((customer) => customer?.id ?? []);

    expect(new Set(ids).size).toBe(1);
    expect((await stripe.customers.list()).data).toHaveLength(1);
  });
});
