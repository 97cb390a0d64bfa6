import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cancelSubscription,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
} from '#schemas/billing-subscription.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { none, type SubscriptionSetup, subscriptionSetup } from './setup.ts';

let world: SubscriptionSetup;

beforeEach(async () => {
  world = await subscriptionSetup();
});

beforeAll(liftRateLimits);

describe('a subscription', () => {
  const changes = [cancelSubscription, pauseSubscription, resumeSubscription];

  it('returns 404 for every operation when there is none', async () => {
    for (const contract of [getSubscription, ...changes]) {
      expect(await world.change(contract)).toMatchObject({ status: 404, body: { message: none } });
    }
  });
});
