import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dependencies, getDetailedHealth } from '#schemas/health.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { beginHealthTest, down, endHealthTest } from './world.ts';

let caller: Account;

beforeAll(async () => {
  caller = await newAccount();
});
beforeEach(beginHealthTest);
afterEach(endHealthTest);

describe('the other health endpoints', () => {
  it('return 401 without a session', async () => {
    expect((await call(getDetailedHealth)).status).toBe(401);
  });
});

describe('GET /health/detailed', () => {
  it("returns every dependency and this instance's resource usage", async () => {
    await down('stripe');
    const { body } = await call(getDetailedHealth, { token: caller.token });

    expect(Object.keys(body.services).sort()).toEqual([...dependencies].sort());
    expect(body.services.payment.status).toBe('outage');
    expect(body.services.database.status).toBe('operational');
    expect(body.metrics.memory.percentage).toBeGreaterThan(0);
    expect(body.metrics.cpu.load).toHaveLength(3);
  });
});
