import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { getAutoRefillSettings } from '#schemas/billing.ts';
import { newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type AutoRefillWorld, autoRefillWorld } from './auto-refill-world.ts';

let world: AutoRefillWorld;

beforeEach(async () => {
  world = await autoRefillWorld();
});

beforeAll(() => {
  liftRateLimits();
});

afterEach(() => {
  setClock();
});

describe('auto-refill settings', () => {
  it.each(['MEMBER', 'VIEWER'] as const)('are hidden from a %s', async (role) => {
    const { token } = await newMember(world.owner, role);
    const headers = { 'x-organization-id': world.organizationId };

    expect((await call(getAutoRefillSettings, { token, headers })).status).toBe(403);
  });
});
