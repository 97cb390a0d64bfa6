import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import { listAuditLog } from '#schemas/organizations.ts';
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
  it('are off by default and are returned as saved', async () => {
    expect(await world.settings()).toMatchObject({
      enabled: false,
      lastRefill: null,
      nextRefill: null,
    });

    const answer = await world.updateAutoRefillSettings({
      threshold: 50,
      amount: 12.5,
      monthlyCap: 100,
    });

    expect(answer.status).toBe(200);
    expect(answer.body.autoRefill).toEqual({
      enabled: true,
      threshold: 50,
      amount: 12.5,
      monthlyCap: 100,
    });
    expect(await world.settings()).toEqual({
      enabled: true,
      threshold: 50,
      amount: 12.5,
      monthlyCap: 100,
      lastRefill: null,
      nextRefill: null,
    });
    const log = await call(listAuditLog, {
      token: world.owner.token,
      params: { organization_id: world.organizationId },
    });
    expect(log.body.entries[0].action).toBe('billing.auto_refill_changed');
  });

  it.each([
    [{ amount: 4.99 }, /^amount /],
    [{ amount: 10_001 }, /^amount /],
    [{ threshold: -1 }, /^threshold /],
    [{ threshold: 0.5 }, /^threshold /],
    [{ enabled: 'yes' }, /^enabled /],
    [{ amount: 50, monthlyCap: 49 }, /^monthlyCap must not be less than amount$/],
  ])('reject %j', async (wrong, message) => {
    const answer = await world.updateAutoRefillSettings(wrong);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(message)]);
    expect(await world.settings()).toMatchObject({ enabled: false });
  });
});
