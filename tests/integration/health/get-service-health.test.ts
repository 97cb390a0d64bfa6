import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dependencies, getServiceHealth, networkNames } from '#schemas/health.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { beginHealthTest, endHealthTest } from './world.ts';

let caller: Account;

beforeAll(async () => {
  caller = await newAccount();
});
beforeEach(beginHealthTest);
afterEach(endHealthTest);

describe('GET /health/services/{service_name}', () => {
  const ask = (service_name: string) =>
    call(getServiceHealth, { token: caller.token, params: { service_name } });

  it.each([...dependencies, ...networkNames, 'stripe', 'redis'])('returns %s', async (name) => {
    const { status, body } = await ask(name);

    expect([status, body.service, body.status]).toEqual([200, name, 'operational']);
  });

  it('reports a dependency that is down, with the reason', async () => {
    await sandbox.addFault({ service: 'stripe', mode: 'error', status: 500 });
    const { status, body } = await ask('stripe');

    expect([status, body.status, body.details.error]).toEqual([
      200,
      'outage',
      'Responded with 500',
    ]);
  });

  it.each(['nothing', 'Database', '__proto__', 'toString'])('returns 404 for %s', async (name) => {
    expect((await ask(name)).status).toBe(404);
  });
});
