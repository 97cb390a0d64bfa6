import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SocialLeads, type SocialLeadsError, verifyWebhook } from '#packages/sdk/src/index.ts';

const organizationId = '0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Answer = Response | Error;

function answer(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

/** A client whose requests get these responses, one after another. */
function clientWith(...answers: readonly Answer[]) {
  const requests: Array<{ url: string; init: RequestInit; atMs: number }> = [];
  const startedAtMs = Date.now();
  const client = new SocialLeads({
    baseUrl: 'https://api.test/',
    token: 'sl_key',
    fetch: async (url, init = {}) => {
      const next = answers[requests.length];
      requests.push({ url: String(url), init, atMs: Date.now() - startedAtMs });
      if (!(next instanceof Response)) {
        throw next ?? new Error('No more answers');
      }

      return next;
    },
  });

  return { client, requests };
}

const headerOf = ({ init }: { readonly init: RequestInit }, name: string) =>
  new Headers(init.headers).get(name);

/** Waits for the call while its timers run. */
async function outcomeOf<Value>(call: PromiseLike<Value>): Promise<Value | SocialLeadsError> {
  const outcome = Promise.resolve(call).catch((error: unknown) => error as SocialLeadsError);
  await vi.runAllTimersAsync();

  return outcome;
}

const body = { contactId: 'c', pipelineId: 'p', source: 'website' };

describe('a call', () => {
  it('sends path, query and body from one object', async () => {
    const { client, requests } = clientWith(answer(201, { lead: {} }), answer(200, { leads: [] }));
    await outcomeOf(client.leads.create({ organizationId, ...body }));
    await outcomeOf(client.leads.list({ organizationId, status: 'NEW', limit: 5 }));

    expect(requests.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['POST', `https://api.test/leads/${organizationId}`, JSON.stringify(body)],
      ['GET', `https://api.test/leads/${organizationId}?status=NEW&limit=5`, undefined],
    ]);
    expect(requests.map((request) => headerOf(request, 'authorization'))).toEqual([
      'Bearer sl_key',
      'Bearer sl_key',
    ]);
  });

  it('selects the organization by header where the path has none', async () => {
    const { client, requests } = clientWith(answer(200, { socialAccounts: [] }));
    await outcomeOf(client.social.listAccounts({ organizationId, platform: 'TWITTER' }));

    expect(requests[0]?.url).toBe('https://api.test/social/accounts?platform=TWITTER');
    expect(requests.map((one) => headerOf(one, 'x-organization-id'))).toEqual([organizationId]);
  });

  it('rejects with all fields of the error', async () => {
    const issues = [
      { in: 'body', path: 'source', rule: 'required', message: 'source is required' },
    ];
    const { client } = clientWith(
      answer(
        400,
        { code: 'WRONG_STATE', message: ['source is required'], issues },
        {
          'x-request-id': 'abc',
        },
      ),
    );

    expect(await outcomeOf(client.leads.create({ organizationId, ...body }))).toMatchObject({
      name: 'SocialLeadsError',
      message: `POST /leads/${organizationId} returned 400: source is required (request abc)`,
      status: 400,
      code: 'WRONG_STATE',
      requestId: 'abc',
      issues,
    });
  });
});

describe('retries', () => {
  const created = () => answer(201, { lead: { id: 'l' } });
  const create = (client: SocialLeads) => client.leads.create({ organizationId, ...body });

  it.each([
    ['429', () => answer(429, {}, { 'retry-after': '7' })],
    ['503', () => answer(503, {}, { 'retry-after': '7' })],
    [
      'IDEMPOTENCY_IN_PROGRESS',
      () => answer(409, { code: 'IDEMPOTENCY_IN_PROGRESS' }, { 'retry-after': '7' }),
    ],
  ])('wait for Retry-After, with the same key: %s', async (_, busy) => {
    const { client, requests } = clientWith(busy(), created());

    expect(await outcomeOf(create(client))).toEqual({ lead: { id: 'l' } });
    expect(requests.map(({ atMs }) => atMs)).toEqual([0, 7_000]);
    const keys = requests.map((request) => headerOf(request, 'idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('use a new key for each call, or the given one', async () => {
    const { client, requests } = clientWith(created(), created(), created());
    await outcomeOf(create(client));
    await outcomeOf(create(client));
    await outcomeOf(client.leads.create({ organizationId, ...body }, { idempotencyKey: 'my-own' }));
    const keys = requests.map((request) => headerOf(request, 'idempotency-key'));

    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('my-own');
  });

  it.each([
    ['502', () => answer(502, {})],
    ['a failure of the network', () => new TypeError('fetch failed')],
  ])('wait %s without Retry-After', async (_, failure) => {
    const { client, requests } = clientWith(failure(), failure(), created());

    expect(await outcomeOf(create(client))).toEqual({ lead: { id: 'l' } });
    expect(requests).toHaveLength(3);
  });

  it('stop after two retries, or if the wait is longer than a minute', async () => {
    const broken = clientWith(...[0, 1, 2, 3].map(() => new TypeError('fetch failed')));
    const limited = clientWith(answer(429, {}, { 'retry-after': '3600' }));

    expect(await outcomeOf(create(broken.client))).toMatchObject({
      status: 0,
      cause: new TypeError('fetch failed'),
    });
    expect(broken.requests).toHaveLength(3);
    expect(await outcomeOf(create(limited.client))).toMatchObject({ status: 429 });
    expect(limited.requests).toHaveLength(1);
  });

  it.each([
    [400, () => answer(400, {})],
    [409, () => answer(409, {})],
    [500, () => answer(500, {})],
  ])('do not happen after status %i', async (status, failure) => {
    const { client, requests } = clientWith(failure());

    expect(await outcomeOf(create(client))).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('do not repeat a POST without idempotency, unless nothing was done', async () => {
    const login = { email: 'ada@example.com', password: 'correct horse battery' };
    const lost = clientWith(new TypeError('fetch failed'));
    const limited = clientWith(
      answer(429, {}, { 'retry-after': '1' }),
      answer(200, { authToken: 't' }),
    );

    expect(await outcomeOf(lost.client.auth.logIn(login))).toMatchObject({ status: 0 });
    expect(lost.requests).toHaveLength(1);
    expect(await outcomeOf(limited.client.auth.logIn(login))).toEqual({ authToken: 't' });
  });

  it('stop when the signal of the caller is aborted', async () => {
    const { client, requests } = clientWith(answer(429, {}, { 'retry-after': '30' }), created());
    const reason = new Error('Enough');
    const call = client.leads.create(
      { organizationId, ...body },
      { signal: AbortSignal.any([abortedAfter(1_000, reason)]) },
    );

    expect(await outcomeOf(call)).toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

function abortedAfter(ms: number, reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);

  return controller.signal;
}

describe('a list', () => {
  const page = (ids: readonly string[], nextCursor: string | null) =>
    answer(200, { leads: ids.map((id) => ({ id })), pagination: { nextCursor } });

  it('is a page when awaited', async () => {
    const { client, requests } = clientWith(page(['a'], 'next'));
    const { leads } = await client.leads.list({ organizationId });

    expect(leads).toEqual([{ id: 'a' }]);
    expect(requests).toHaveLength(1);
  });

  it('returns all items when iterated, with the same filters', async () => {
    const { client, requests } = clientWith(
      page(['a', 'b'], 'one'),
      page([], 'two'),
      page(['c'], null),
    );
    const found = [];
    for await (const { id } of client.leads.list({ organizationId, status: 'NEW', page: 1 })) {
      found.push(id);
    }

    expect(found).toEqual(['a', 'b', 'c']);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?status=NEW&page=1',
      '?status=NEW&cursor=one',
      '?status=NEW&cursor=two',
    ]);
  });

  it('continues invoices after the last one, and ends after lists without pages', async () => {
    const invoices = (id: string, hasMore: boolean) =>
      answer(200, { invoices: [{ id }], hasMore, total: 1 });
    const { client, requests } = clientWith(
      invoices('in_1', true),
      invoices('in_2', false),
      answer(200, { pipelines: [{ id: 'p' }], total: 1 }),
    );
    const found = [];
    for await (const { id } of client.billing.listInvoices()) {
      found.push(id);
    }
    for await (const { id } of client.leads.listPipelines({ organizationId })) {
      found.push(id);
    }

    expect(found).toEqual(['in_1', 'in_2', 'p']);
    expect(requests[1]?.url).toBe('https://api.test/billing/invoices?startingAfter=in_1');
  });
});

describe('verifyWebhook', () => {
  const secret = `whsec_${btoa('a secret of 24 bytes or more')}`;
  const event = { type: 'lead.created', data: { organizationId } };

  function signed(at = new Date()) {
    const text = JSON.stringify(event);
    const seconds = String(Math.floor(at.getTime() / 1_000));

    return {
      text,
      headers: {
        'Webhook-Id': 'e1',
        'Webhook-Timestamp': seconds,
        'Webhook-Signature': new Webhook(secret).sign('e1', at, text),
      },
    };
  }

  it('returns the event, for an object or Headers and a string or bytes', async () => {
    const { text, headers } = signed();

    expect(await verifyWebhook(text, headers, secret)).toEqual(event);
    expect(
      await verifyWebhook(new TextEncoder().encode(text), new Headers(headers), secret),
    ).toEqual(event);
  });

  it.each([
    ['another body', (one: ReturnType<typeof signed>) => ({ ...one, text: `${one.text} ` })],
    ['more than five minutes', () => signed(new Date(Date.now() - 301_000))],
    ['no signature', (one: ReturnType<typeof signed>) => ({ ...one, headers: {} })],
  ])('throws for %s', async (_, changed) => {
    const { text, headers } = changed(signed());

    await expect(verifyWebhook(text, headers, secret)).rejects.toThrow();
  });
});
