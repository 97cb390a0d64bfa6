import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cancelSubscription,
  changePlan,
  previewPlanChange,
} from '#schemas/billing-subscription.ts';
import { call } from '#tests/support/api.ts';
import { balanceOf, deliverAll, subscribe } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type SubscriptionSetup, subscriptionSetup } from './setup.ts';

let world: SubscriptionSetup;

beforeAll(liftRateLimits);
beforeEach(async () => {
  world = await subscriptionSetup();
});

function change(planId: string) {
  return call(changePlan, { token: world.owner.token, body: { planId } });
}

function preview(planId: string) {
  return call(previewPlanChange, { token: world.owner.token, query: { planId } });
}

const credits = async () => (await balanceOf(world.owner.organizationId)).credits;

describe('a preview', () => {
  it.each([
    { from: 'starter', pending: undefined },
    { from: 'growth', pending: 'starter' },
  ])(
    'shows the charge and credits of an upgrade from $from with pending $pending',
    async (plan) => {
      const { from, pending } = plan;
      await subscribe(world.owner, { planId: from });
      await deliverAll();
      await sandbox.advancePaymentClock(10);
      if (pending) {
        await change(pending);
      }
      const before = [await world.plans(), await world.invoices(), await credits()];

      const answer = await preview('scale');

      expect([await world.plans(), await world.invoices(), await credits()]).toEqual(before);
      const had = await credits();
      await change('scale');
      await deliverAll();
      const [, charged] = (await world.invoices()).at(-1) ?? [];
      expect(answer.body.preview).toMatchObject({
        currency: 'usd',
        credits: (await credits()) - had,
      });
      // Proration is by the second.
      expect(Math.abs(answer.body.preview.amount - Number(charged))).toBeLessThanOrEqual(1);
      expect(Date.parse(answer.body.preview.startsAt)).toBeLessThanOrEqual(Date.now());
    },
  );

  it('shows no charge for a smaller plan, which starts with the next period', async () => {
    await subscribe(world.owner, { planId: 'scale' });

    const { body } = await preview('starter');

    const { subscription } = (await world.read()).body;
    expect(body.preview).toEqual({
      startsAt: subscription.currentPeriodEnd,
      amount: 0,
      currency: 'usd',
      credits: 0,
    });
    await change('starter');
    expect((await preview('scale')).body.preview).toMatchObject({ amount: 0, credits: 0 });
  });

  it('is rejected like the change', async () => {
    expect((await preview('growth')).status).toBe(404);
    await subscribe(world.owner);
    expect((await preview('starter')).body.code).toBe('PLAN_UNCHANGED');
    expect((await preview('unknown')).status).toBe(400);
    await call(cancelSubscription, { token: world.owner.token });
    expect((await preview('growth')).body.code).toBe('WRONG_STATE');
  });
});
