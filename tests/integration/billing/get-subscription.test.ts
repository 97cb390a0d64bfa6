import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#lib/platform/clock.ts';
import {
  cancelSubscription,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
} from '#schemas/billing-subscription.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { none, type SubscriptionWorld, subscriptionWorld } from './subscription-world.ts';

let world: SubscriptionWorld;

beforeEach(async () => {
  world = await subscriptionWorld();
});

beforeAll(() => {
  liftRateLimits();
});

afterEach(async () => {
  setClock();
  await sandbox.clearFaults();
});

describe('a subscription', () => {
  const changes = [cancelSubscription, pauseSubscription, resumeSubscription];

  it('returns 404 for every operation when there is none', async () => {
    for (const contract of [getSubscription, ...changes]) {
      expect(await world.change(contract)).toMatchObject({ status: 404, body: { message: none } });
    }
  });
});
