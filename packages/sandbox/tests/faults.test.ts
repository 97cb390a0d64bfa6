import { describe, expect, test } from 'vitest';
import { refusalOf, startSetup, stripeClient } from './setup.ts';

describe('service faults', () => {
  test('the mode down returns 503 in the service format and changes nothing', async () => {
    const { stripe, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'down' });

    expect(await refusalOf(stripe.customers.create())).toMatchObject({
      type: 'StripeAPIError',
      statusCode: 503,
    });

    await control.clearFaults();
    expect((await stripe.customers.list()).data).toEqual([]);
  });

  test('the mode refuse closes the connection without a response and changes nothing', async () => {
    const { stripe, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'refuse' });

    expect(await refusalOf(stripe.customers.create())).toMatchObject({
      type: 'StripeConnectionError',
    });

    await control.clearFaults();
    expect((await stripe.customers.list()).data).toEqual([]);
  });

  test('the mode hang never responds and changes nothing', async () => {
    const { port, stripe, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'hang', times: 1 });
    const impatient = stripeClient(port, { timeout: 100 });

    expect(await refusalOf(impatient.customers.create())).toMatchObject({
      type: 'StripeConnectionError',
    });
    expect((await stripe.customers.list()).data).toEqual([]);
  });

  test('the mode hang-after does the work and never responds', async () => {
    const { port, stripe, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'hang-after', times: 1 });
    const impatient = stripeClient(port, { timeout: 100 });

    expect(await refusalOf(impatient.customers.create({ name: 'Ada' }))).toMatchObject({
      type: 'StripeConnectionError',
    });
    expect((await stripe.customers.list()).data.map((one) => one.name)).toEqual(['Ada']);
  });

  test('the mode error returns the requested status, headers, and body', async () => {
    const { url, control } = await startSetup();
    await control.addFault({
      service: 'hooks',
      mode: 'error',
      status: 429,
      headers: { 'retry-after': '7' },
      body: { slow: 'down' },
    });

    const response = await fetch(`${url}/_sandbox/hooks/orders`, { method: 'POST' });

    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toEqual({ slow: 'down' });
  });

  test('the mode slow responds after the delay', async () => {
    const { url, control } = await startSetup();
    await control.addFault({ service: 'hooks', mode: 'slow', delayMs: 120 });
    const before = performance.now();

    const response = await fetch(`${url}/_sandbox/hooks/orders`);

    expect(response.status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(115);
  });

  test('the mode drip does the work, starts a response, and never finishes it', async () => {
    const { url, control } = await startSetup();
    await control.addFault({ service: 'hooks', mode: 'drip' });

    const response = await fetch(`${url}/_sandbox/hooks/orders`);
    const reader = response.body?.getReader();

    expect(response.status).toBe(200);
    expect(await reader?.read()).toMatchObject({ done: false });
    expect(await reader?.read()).toMatchObject({ done: false });
    await reader?.cancel();
  });

  test('a fault ends after the given number of calls', async () => {
    const { stripe, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'down', times: 2 });

    await refusalOf(stripe.customers.create());
    await refusalOf(stripe.customers.create());

    expect((await stripe.customers.create()).object).toBe('customer');
    expect(await control.faults()).toEqual([]);
  });

  test('client retries count toward the limit of a fault', async () => {
    const { port, control } = await startSetup();
    await control.addFault({ service: 'stripe', mode: 'down', times: 1 });

    const customer = await stripeClient(port, { maxNetworkRetries: 1 }).customers.create();

    expect(customer.object).toBe('customer');
  });

  test('a fault affects only calls that match its method and path', async () => {
    const { stripe, control } = await startSetup();
    const customer = await stripe.customers.create();
    await control.addFault({
      service: 'stripe',
      method: 'post',
      path: '^/v1/customers/[^/]+$',
      mode: 'down',
    });

    expect((await stripe.customers.retrieve(customer.id)).id).toBe(customer.id);
    expect((await stripe.customers.create()).object).toBe('customer');
    expect(await refusalOf(stripe.customers.update(customer.id))).toMatchObject({
      statusCode: 503,
    });
  });

  test('a fault does not affect other services', async () => {
    const { url, stripe, control } = await startSetup();
    await control.addFault({ service: 'hooks', mode: 'down' });

    expect((await stripe.customers.create()).object).toBe('customer');
    expect((await fetch(`${url}/_sandbox/hooks/orders`)).status).toBe(503);
  });

  test('a fault can be ended by id', async () => {
    const { stripe, control } = await startSetup();
    const { id } = await control.addFault({ service: 'stripe', mode: 'down' });
    await control.addFault({ service: 'ses', mode: 'down' });

    await control.endFault(id);

    expect((await stripe.customers.create()).object).toBe('customer');
    expect(await control.faults()).toMatchObject([{ service: 'ses' }]);
    await expect(control.endFault(id)).rejects.toThrow('404');
  });

  test.each([
    [{ service: 'nobody', mode: 'down' }, 'service must be one of ses, openai, stripe'],
    [{ service: 'stripe', mode: 'broken' }, 'mode'],
    [{ service: 'stripe', mode: 'down', path: '(' }, 'path must be a regular expression'],
    [{ service: 'stripe', mode: 'slow' }, 'delayMs is required for mode slow'],
    [{ service: 'stripe', mode: 'down', times: 0 }, 'times'],
    [{ service: 'stripe', mode: 'down', colour: 'red' }, 'colour'],
    ['no object', 'body'],
  ])('an invalid fault is rejected with the name of the wrong field: %j', async (fault, reason) => {
    const { url } = await startSetup();

    const response = await fetch(`${url}/_sandbox/faults`, {
      method: 'POST',
      body: JSON.stringify(fault),
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining(reason) });
  });
});

describe('close and reset', () => {
  test('close ends hanging and slow calls', async () => {
    const { url, control, close } = await startSetup();
    await control.addFault({ service: 'hooks', mode: 'hang', path: 'a$' });
    await control.addFault({ service: 'hooks', mode: 'slow', path: 'b$', delayMs: 500_000 });
    const calls = ['a', 'b'].map((name) => refusalOf(fetch(`${url}/_sandbox/hooks/${name}`)));
    await expect.poll(() => control.requests()).toHaveLength(2);

    await close();

    await expect(Promise.all(calls)).resolves.toHaveLength(2);
  });

  test('ending a slow fault continues the calls that it delays', async () => {
    const { url, control } = await startSetup();
    const { id } = await control.addFault({ service: 'hooks', mode: 'slow', delayMs: 500_000 });
    const delayed = fetch(`${url}/_sandbox/hooks/orders`);
    await expect.poll(() => control.requests()).toHaveLength(1);

    await control.endFault(id);

    expect((await delayed).status).toBe(200);
  });

  test('reset ends faults and the calls that they hold open', async () => {
    const { url, control } = await startSetup();
    await control.addFault({ service: 'hooks', mode: 'hang' });
    const held = refusalOf(fetch(`${url}/_sandbox/hooks/orders`));
    await expect.poll(() => control.requests()).toHaveLength(1);

    await control.reset();

    await held;
    expect((await fetch(`${url}/_sandbox/hooks/orders`)).status).toBe(200);
  });
});
