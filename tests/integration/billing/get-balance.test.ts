import { beforeEach, describe, expect, it } from 'vitest';
import { getBalance } from '#schemas/billing.ts';
import { call } from '#tests/support/api.ts';
import { type SetUpSetup, setUpSetup } from './setup.ts';

let world: SetUpSetup;

beforeEach(async () => {
  world = await setUpSetup();
});

describe('the credit balance', () => {
  it('starts with the welcome credits and no refill after signup', async () => {
    const answer = await call(getBalance, { token: world.owner.token });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      balance: { credits: 100, currency: 'USD' },
      autoRefill: { enabled: false },
    });
    expect(answer.headers['ratelimit-policy']).toMatch(/^"standard";q=\d+;w=60, /);
  });

  it('returns 404 with instructions while billing is not set up', async () => {
    const answer = await call(getBalance, world.here());

    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      message: 'Billing setup must be completed first',
      suggestion: expect.stringContaining('POST /billing/setup'),
    });
  });
});
