import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SendEmailCommand } from '@aws-sdk/client-sesv2';
import { describe, expect, test } from 'vitest';
import { startSetup } from './setup.ts';

describe('requests from web pages', () => {
  const post = (url: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${url}/_sandbox/reset`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', ...headers },
      body: '{}',
    });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['a navigation', { 'sec-fetch-site': 'cross-site' }],
  ])('are rejected from %s', async (_, headers) => {
    const { url, stripe, control } = await startSetup();
    await stripe.customers.create({ name: 'Ada' });
    const answer = await post(url, headers as Record<string, string>);

    expect(answer.status).toBe(403);
    expect(await control.requests()).toHaveLength(1);
  });

  test('are accepted from the page of the sandbox itself', async () => {
    const { url } = await startSetup();

    expect((await post(url, { origin: url, 'sec-fetch-site': 'same-origin' })).status).toBeLessThan(
      300,
    );
  });
});

describe('the request log', () => {
  test('records every call with its request and response', async () => {
    const { url, control } = await startSetup();
    await fetch(`${url}/_sandbox/hooks/orders?a=1&b=2&b=3`, {
      method: 'PUT',
      headers: { authorization: 'Bearer open', 'x-mark': 'yes' },
      body: '{"order": 1}',
    });

    expect(await control.requests()).toEqual([
      {
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        service: 'hooks',
        method: 'PUT',
        path: '/_sandbox/hooks/orders',
        query: { a: '1', b: ['2', '3'] },
        headers: expect.objectContaining({ authorization: 'Bearer open', 'x-mark': 'yes' }),
        body: '{"order": 1}',
        status: 200,
        unexpected: false,
      },
    ]);
  });

  test('filters by service, time, text, and limit', async () => {
    const { url, stripe, control, advance } = await startSetup();
    await stripe.customers.create({ name: 'Ada' });
    await stripe.customers.create({ name: 'Grace' });
    await fetch(`${url}/_sandbox/hooks/orders`, { method: 'POST', body: 'Ada' });
    advance(60_000);
    const later = new Date(Date.now() + 30_000).toISOString();
    await stripe.customers.list({ email: 'ada@example.com' });

    const bodies = (await control.requests({ service: 'stripe' })).map((one) => one.body);

    expect(bodies).toEqual(['name=Ada', 'name=Grace', '']);
    expect(await control.requests({ contains: 'Ada' })).toHaveLength(2);
    expect(await control.requests({ contains: 'ada@example.com' })).toHaveLength(1);
    expect(await control.requests({ since: later })).toMatchObject([{ method: 'GET' }]);
    expect(await control.requests({ limit: 2 })).toMatchObject([
      { service: 'hooks' },
      { method: 'GET' },
    ]);
  });

  test('shows no status for a call without a response', async () => {
    const { url, control } = await startSetup();
    await control.addFault({ service: 'hooks', mode: 'refuse' });

    await expect(fetch(`${url}/_sandbox/hooks/orders`)).rejects.toThrow();

    expect(await control.requests()).toMatchObject([{ status: null }]);
  });

  test('marks a path that the real service does not have as unexpected', async () => {
    const { url, control } = await startSetup();
    const headers = { authorization: 'Bearer sk_test_sandbox' };

    const atStripe = await fetch(`${url}/v1/nothing`, { method: 'POST', headers });
    const nowhere = await fetch(`${url}/nothing`);

    expect([atStripe.status, nowhere.status]).toEqual([404, 404]);
    expect(await atStripe.json()).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: expect.stringMatching(/^Unrecognized request URL \(POST: \/v1\/nothing\)\./),
      },
    });
    expect(await control.requests()).toMatchObject([
      { service: 'stripe', status: 404, unexpected: true },
      { service: 'unknown', status: 404, unexpected: true },
    ]);
  });

  test.each(['since=yesterday', 'limit=0', 'limit=x'])('rejects the query %s', async (query) => {
    const { url } = await startSetup();

    expect((await fetch(`${url}/_sandbox/requests?${query}`)).status).toBe(400);
  });
});

describe('reset', () => {
  test('clears customers, mails, calls, and faults', async () => {
    const { stripe, ses, control } = await startSetup();
    await stripe.customers.create();
    await ses.send(
      new SendEmailCommand({
        FromEmailAddress: 'a@example.com',
        Destination: { ToAddresses: ['b@example.com'] },
        Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'y' } } } },
      }),
    );
    await control.addFault({ service: 'ses', mode: 'down' });

    await control.reset();

    expect(await control.requests()).toEqual([]);
    expect(await control.faults()).toEqual([]);
    expect(await control.mails()).toEqual([]);
    expect((await stripe.customers.list()).data).toEqual([]);
  });
});

describe('the sandbox page', () => {
  test('shows the sandbox state without secret values', async () => {
    const SecretId = 'social-leads/test';
    const { url, stripe, secrets, control } = await startSetup({ [SecretId]: 'hidden-value' });
    const put = { SecretId, SecretString: 'hidden-value-2' };
    await secrets.send(new PutSecretValueCommand(put));
    await stripe.customers.create({
      name: 'Ada <b>Lovelace</b>',
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
    await control.addFault({ service: 'ses', mode: 'down' });

    const response = await fetch(`${url}/_sandbox`);
    const page = await response.text();

    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain('Ada &lt;b&gt;Lovelace&lt;/b&gt;');
    expect(page).toContain('visa 4242 (default)');
    expect(page).toContain('social-leads/test');
    expect(page).toContain('POST /v1/customers');
    expect(page).toContain('the down fault of ses');
    expect(page).not.toContain('hidden-value');
  });

  test('loads nothing from other origins and runs only its own script', async () => {
    const { url } = await startSetup();

    const response = await fetch(`${url}/_sandbox`);
    const page = await response.text();

    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page).not.toMatch(/ on[a-z]+="/);
  });
});

test('the sandbox treats a malformed percent escape in a path as an unknown id', async () => {
  const { url } = await startSetup();
  const headers = { authorization: 'Bearer sk_test_sandbox' };

  expect((await fetch(`${url}/v1/customers/%E0%A4%A`, { headers })).status).toBe(404);
  expect((await fetch(`${url}/_sandbox/faults/%E0%A4%A`, { method: 'DELETE' })).status).toBe(404);
});

test('the sandbox returns 404 for an unknown control endpoint', async () => {
  const { url } = await startSetup();

  expect((await fetch(`${url}/_sandbox/nothing`)).status).toBe(404);
});
