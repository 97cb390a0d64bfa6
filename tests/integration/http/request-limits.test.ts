import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { newApiKey } from '#lib/platform/identity/api-key.ts';
import { countRequest } from '#lib/platform/rate-limits/request-counter.ts';
import { createApiKey } from '#schemas/api-keys.ts';
import { getMe } from '#schemas/auth.ts';
import { getBioPage } from '#schemas/bio.ts';
import { contract, memberOfCurrent } from '#schemas/contract.ts';
import { getDocs } from '#schemas/docs.ts';
import { listPipelines } from '#schemas/leads.ts';
import { getOrganization } from '#schemas/organizations.ts';
import * as z from '#schemas/zod.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call, freshIp, gatewayEvent, lambdaContext } from '#tests/support/api.ts';
import { storedItems } from '#tests/support/table.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

const before = { ...process.env };

beforeEach(stopClock);
afterEach(() => {
  Object.assign(process.env, before);
});

function organizationOf({ organizationId, token }: Account) {
  return { token, params: { organization_id: organizationId } };
}

describe('requests of a user', () => {
  it('are limited over all endpoints, and other users are unaffected', async () => {
    process.env.REQUEST_LIMIT_PER_USER = '4';
    const [owner, other] = [await newAccount(), await newAccount()];
    const remaining: string[] = [];
    for (const contract of [getMe, getOrganization, listPipelines, getMe]) {
      const answer = await call(contract, organizationOf(owner));
      expect(answer.status).toBe(200);
      expect(answer.headers['ratelimit-policy']).toContain('"requests";q=4;w=60');
      remaining.push(/"requests";r=(\d+)/.exec(answer.headers.ratelimit ?? '')?.[1] ?? '');
    }
    expect(remaining).toEqual(['3', '2', '1', '0']);
    const refused = await call(getMe, { token: owner.token });
    expect(refused).toMatchObject({
      status: 429,
      body: { message: 'Too many requests, please try again later' },
    });
    expect((await call(getMe, { token: other.token })).status).toBe(200);
    passTime(Number(refused.headers['retry-after']) * 1_000);

    expect((await call(getMe, { token: owner.token })).status).toBe(200);
  });

  it('are limited exactly if they are concurrent', async () => {
    process.env.REQUEST_LIMIT_PER_USER = '7';
    const { token } = await newAccount();
    const answers = await Promise.all(Array.from({ length: 30 }, () => call(getMe, { token })));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
  });
});

describe('requests of an organization', () => {
  it('are limited over all its members, and strangers do not count', async () => {
    process.env.REQUEST_LIMIT_PER_ORGANIZATION = '3';
    const owner = await newAccount();
    const member = await newMember(owner, 'VIEWER');
    const stranger = await newAccount();
    const { params } = organizationOf(owner);
    const ask = ({ token }: Account) => call(listPipelines, { token, params });
    for (let time = 0; time < 5; time += 1) {
      expect((await ask(stranger)).status).toBe(404);
    }
    const statuses: number[] = [];
    for (const account of [owner, member, owner, member, owner]) {
      statuses.push((await ask(account)).status);
    }

    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await call(listPipelines, organizationOf(stranger))).status).toBe(200);
  });
});

describe('a large response', () => {
  const large = contract({
    operationId: 'large',
    area: 'docs',
    method: 'GET',
    path: '/large',
    summary: 'Return a long text',
    access: memberOfCurrent('VIEWER'),
    query: z.object({ limit: z.string().optional() }),
    response: z.object({ text: z.string() }),
  });

  it.each([
    [100_000, 200],
    [6_500_000, 400],
  ])('counts as several requests, even if it is not sent: %i bytes', async (bytes, status) => {
    process.env.REQUEST_LIMIT_PER_ORGANIZATION = '2';
    const owner = await newAccount();
    const handler = endpoint(large, async () => ({ text: 'x'.repeat(bytes) }));
    const answer = await handler(gatewayEvent(large, { token: owner.token }), lambdaContext());

    expect(answer.statusCode).toBe(status);
    expect((await call(listPipelines, organizationOf(owner))).status).toBe(429);
  });
});

describe('API keys that do not exist', () => {
  it('are limited per IP without a write, and valid keys are unaffected', async () => {
    process.env.REJECTED_KEY_LIMIT_PER_IP = '3';
    const owner = await newAccount();
    const { params } = organizationOf(owner);
    const ip = freshIp();
    const ask = async (token: string, from = ip) =>
      (await call(listPipelines, { params, token, ip: from })).status;
    const { body } = await call(createApiKey, {
      ...organizationOf(owner),
      body: { name: 'Valid', role: 'VIEWER' },
    });
    const items = (await storedItems()).length;
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      statuses.push(await ask(newApiKey()));
    }

    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect(await storedItems()).toHaveLength(items);
    expect(await ask(newApiKey(), freshIp())).toBe(401);
    expect(await ask(body.key)).toBe(200);
  });
});

describe('public pages', () => {
  it.each([
    ['PUBLIC', getBioPage, { organization_id: '0192f0c1-7b5b-7a11-8c44-5d6e7f809a1b' }],
    ['DOCUMENT', getDocs, {}],
  ] as const)('are limited per IP: %s', async (name, contract, params) => {
    process.env[`${name}_LIMIT_PER_IP`] = '2';
    const [ip, other] = [freshIp(), freshIp()];
    const statusOf = async (from: string) => (await call(contract, { params, ip: from })).status;
    await statusOf(ip);
    await statusOf(ip);

    expect(await statusOf(ip)).toBe(429);
    expect(await statusOf(other)).not.toBe(429);
  });
});

describe('an IPv6 network', () => {
  it('counts as one address', async () => {
    process.env.DOCUMENT_LIMIT_PER_IP = '2';
    const network = freshIp().split('::')[0];
    const statuses: number[] = [];
    for (const host of [1, 2, 3]) {
      statuses.push((await call(getDocs, { ip: `${network}::${host}` })).status);
    }

    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('a limit that is counted in shares', () => {
  /** Counts in one instance, and waits for the writes. */
  async function count(times: number, subject: string): Promise<number> {
    let allowed = 0;
    for (let time = 0; time < times; time += 1) {
      const { state, written } = countRequest('requests', subject);
      await written;
      allowed += Number(state.allowed);
    }

    return allowed;
  }

  it('allows exactly the limit in one instance, with a write per 1%', async () => {
    process.env.REQUEST_LIMIT_PER_USER = '600';
    const subject = crypto.randomUUID();

    expect(await count(700, subject)).toBe(600);
    const [counter] = await storedItems(`RATE#requests#${hashToken(subject)}`);
    expect(Number(counter?.used) % 6).toBe(0);
    expect(Number(counter?.used)).toBeGreaterThan(590);
  });

  it('is counted on average when each instance sees few requests of a user', async () => {
    process.env.REQUEST_LIMIT_PER_USER = '600';
    const users = Array.from({ length: 200 }, () => crypto.randomUUID());
    const firsts = users.map((user) => countRequest('requests', user).written);
    await Promise.all(firsts);
    const writing = firsts.filter((written) => written !== undefined).length;

    // One in six writes a share of six requests.
    expect(writing).toBeGreaterThan(10);
    expect(writing).toBeLessThan(70);
  });
});
