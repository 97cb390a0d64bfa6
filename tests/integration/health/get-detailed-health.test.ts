import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dependencies, getDetailedHealth } from '#schemas/health.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { beginHealthTest, down, endHealthTest } from './setup.ts';

const caller = await newAccount();

beforeEach(beginHealthTest);
afterEach(endHealthTest);

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
