import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { getBalance } from '#schemas/billing.ts';
import { newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { type SetUpWorld, setUpWorld } from './set-up-world.ts';

let world: SetUpWorld;

beforeEach(async () => {
  world = await setUpWorld();
});

afterEach(() => {
  setClock();
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

  it.each(['MEMBER', 'VIEWER'] as const)('is hidden from a %s', async (role) => {
    const member = await newMember(world.owner, role);
    const headers = { 'x-organization-id': world.owner.organizationId };

    const answer = await call(getBalance, { token: member.token, headers });

    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('Only owners and admins can access billing');
  });
});
