import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { repliesArePaused } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { pauseSubscription, resumeSubscription } from '#schemas/billing-subscription.ts';
import { customerOf, deliverAll, subscribe } from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type SubscriptionSetup, subscriptionSetup } from './setup.ts';

let world: SubscriptionSetup;

beforeEach(async () => {
  world = await subscriptionSetup();
});

beforeAll(liftRateLimits);

describe('a subscription', () => {
  it('collects no payments and sends no replies while paused, until it is resumed', async () => {
    await subscribe(world.owner);

    expect((await world.change(pauseSubscription)).body.message).toBe(
      'Subscription paused successfully',
    );

    expect((await world.read()).body.subscription).toMatchObject({
      status: 'paused',
      nextBillingDate: null,
    });
    expect(await repliesArePaused(world.owner.organizationId)).toBe(true);
    expect(await world.running()).toMatchObject([{ pause_collection: { behavior: 'void' } }]);
    expect(await world.change(pauseSubscription)).toMatchObject({
      status: 409,
      body: { message: 'Subscription is already paused' },
    });
    await sandbox.advancePaymentClock(32);
    await deliverAll();
    const customer = await customerOf(world.owner.organizationId);
    const { data } = await provider.invoices.list({ customer });
    expect(data.map(({ status }) => status)).toEqual(['void', 'paid']);
    expect((await world.read()).body.subscription.status).toBe('paused');

    expect((await world.change(resumeSubscription)).body.message).toBe(
      'Subscription resumed successfully',
    );

    expect((await world.read()).body.subscription.status).toBe('active');
    expect(await repliesArePaused(world.owner.organizationId)).toBe(false);
    expect(await world.change(resumeSubscription)).toMatchObject({
      status: 409,
      body: { message: 'Subscription is not paused' },
    });
  });

  it('is marked as paused by the event when the response was lost', async () => {
    await subscribe(world.owner);
    vi.stubEnv('PAYMENT_TIMEOUT_MS', '1000');
    await sandbox.addFault({ service: 'stripe', method: 'POST', mode: 'hang-after' });
    expect((await world.change(pauseSubscription)).status).toBe(502);
    vi.unstubAllEnvs();
    await sandbox.clearFaults();

    await deliverAll();

    expect((await world.read()).body.subscription.status).toBe('paused');
  });
});
