import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelSubscription, pauseSubscription } from '#schemas/billing-subscription.ts';
import { deliverAll, subscribe } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { measureWaits } from '#tests/support/waiting.ts';
import { type SubscriptionSetup, subscriptionSetup } from './setup.ts';

let world: SubscriptionSetup;

beforeEach(async () => {
  world = await subscriptionSetup();
});

beforeAll(liftRateLimits);

describe('a subscription', () => {
  it('is canceled once at the end of its period, even for repeated requests', async () => {
    await subscribe(world.owner);

    const answers = [
      await world.change(cancelSubscription),
      await world.change(cancelSubscription),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await world.running()).toMatchObject([{ status: 'active', cancel_at_period_end: true }]);
    expect((await world.read()).body.subscription).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      nextBillingDate: null,
    });
    expect(await world.actions()).toEqual([
      'billing.subscription_created',
      'billing.subscription_canceled',
    ]);
    await sandbox.advancePaymentClock(32);
    await deliverAll();
    expect((await world.read()).status).toBe(404);
  });

  it.each([
    ['down', 'down'],
    ['hanging', 'hang'],
  ] as const)('is unchanged while the provider is %s', async (_, mode) => {
    await subscribe(world.owner);
    const before = (await world.read()).body;
    await sandbox.addFault({ service: 'stripe', mode });

    const { result: answers, waitedMs } = await measureWaits(() =>
      Promise.all([world.change(cancelSubscription), world.change(pauseSubscription)]),
    );

    expect(waitedMs).toBeLessThan(10_000);
    expect(answers.map(({ status }) => status)).toEqual([502, 502]);
    expect((await world.read()).body).toEqual(before);
  });
});
