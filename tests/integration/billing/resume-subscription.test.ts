import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repliesArePaused } from '#lib/features/billing/subscriptions/subscription-record.ts';
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from '#schemas/billing-subscription.ts';
import { deliverAll, subscribe } from '#tests/support/billing.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type SubscriptionSetup, subscriptionSetup } from './setup.ts';

let world: SubscriptionSetup;

beforeEach(async () => {
  world = await subscriptionSetup();
});

beforeAll(liftRateLimits);

describe('a subscription', () => {
  it('can be resumed when it was paused at the provider', async () => {
    await subscribe(world.owner);
    const [subscription] = await world.running();
    await provider.subscriptions.pause(subscription?.id ?? '');
    await deliverAll();
    expect((await world.read()).body.subscription.status).toBe('paused');

    expect((await world.change(resumeSubscription)).status).toBe(200);

    expect(await world.running()).toMatchObject([{ status: 'active' }]);
    expect(await repliesArePaused(world.owner.organizationId)).toBe(false);
  });

  it('that is paused and ending is resumed first, and then kept', async () => {
    await subscribe(world.owner);
    await world.change(cancelSubscription);
    await world.change(pauseSubscription);

    expect((await world.change(resumeSubscription)).status).toBe(200);
    expect(await world.running()).toMatchObject([
      { pause_collection: null, cancel_at_period_end: true },
    ]);
    expect((await world.change(resumeSubscription)).status).toBe(200);
    expect(await world.running()).toMatchObject([
      { pause_collection: null, cancel_at_period_end: false },
    ]);
  });
});
