import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listPlans } from '#schemas/billing-subscription.ts';
import { newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type PaymentMethodSetup, paymentMethodSetup } from './setup.ts';

let world: PaymentMethodSetup;

beforeEach(async () => {
  world = await paymentMethodSetup();
});

beforeAll(liftRateLimits);

describe('listing the plans', () => {
  it('is allowed for every signed-in user', async () => {
    const viewer = await newMember(world.owner, 'VIEWER');

    const { body } = await call(listPlans, { token: viewer.token });

    expect(body.plans.map(({ id }: { id: string }) => id)).toEqual(['starter', 'growth', 'scale']);
    expect(body.plans[0]).toEqual({
      id: 'starter',
      name: 'Starter',
      amount: 2_900,
      currency: 'usd',
      interval: 'month',
      monthlyCredits: 2_500,
      trialDays: 0,
    });
  });
});
