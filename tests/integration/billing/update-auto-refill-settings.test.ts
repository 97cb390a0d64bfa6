import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { call } from '#tests/support/api.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type AutoRefillSetup, autoRefillSetup } from './setup.ts';

let world: AutoRefillSetup;

beforeEach(async () => {
  world = await autoRefillSetup();
});

beforeAll(liftRateLimits);

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

  it('caps refills at 20 times the amount by default, also for settings saved without a cap', async () => {
    const shown = async () => (await world.settings()).monthlyCap;

    expect(await shown()).toBe(500);
    expect((await world.updateAutoRefillSettings({ amount: 12 })).body.autoRefill.monthlyCap).toBe(
      240,
    );
    await world.updateAutoRefillSettings({ monthlyCap: 100 });
    expect(await shown()).toBe(100);
    await world.updateAutoRefillSettings({ amount: 20, monthlyCap: null });
    expect(await shown()).toBe(400);
    await write(change(keys.balance(world.organizationId), { set: { refillCapCents: null } }));
    expect(await shown()).toBe(400);
  });

  it('keep their values when only turned off and on', async () => {
    const update = (body: object) =>
      call(updateAutoRefillSettings, { token: world.owner.token, body });
    const saved = { threshold: 50, amount: 12, monthlyCap: 100 };
    await update({ enabled: true, ...saved });

    const off = await update({ enabled: false });

    expect(off).toMatchObject({ status: 200, body: { autoRefill: { enabled: false, ...saved } } });
    const on = await update({ enabled: true });
    expect(on).toMatchObject({ status: 200, body: { autoRefill: { enabled: true, ...saved } } });
    expect(await world.settings()).toMatchObject({ enabled: true, ...saved });
  });

  it('can be turned off before any were saved', async () => {
    const answer = await call(updateAutoRefillSettings, {
      token: world.owner.token,
      body: { enabled: false },
    });

    expect(answer.body.autoRefill).toEqual({
      enabled: false,
      threshold: 100,
      amount: 25,
      monthlyCap: 500,
    });
  });

  it('accept an amount that buys one credit more than the threshold, but not the same number', async () => {
    const equal = await world.updateAutoRefillSettings({ threshold: 1_000, amount: 10 });

    expect(equal.status).toBe(400);
    expect((await world.updateAutoRefillSettings({ threshold: 999, amount: 10 })).status).toBe(200);
    const raised = await call(updateAutoRefillSettings, {
      token: world.owner.token,
      body: { enabled: true, threshold: 1_000 },
    });
    expect(raised.status).toBe(400);
    expect(raised.body.message).toEqual(['amount must buy more credits than the threshold']);
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
