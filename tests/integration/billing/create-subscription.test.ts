import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { cancelSubscription } from '#schemas/billing-subscription.ts';
import { newAccount } from '#tests/support/accounts.ts';
import {
  defaultCardOf,
  deliverAll,
  giveCard,
  runReconcileJob,
  subscribe,
} from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { measureWaits } from '#tests/support/waiting.ts';
import { none, type SubscriptionSetup, subscriptionSetup } from './setup.ts';

const down = 'Payment service temporarily unavailable';

let world: SubscriptionSetup;

beforeEach(async () => {
  world = await subscriptionSetup();
});

beforeAll(liftRateLimits);

afterEach(() => {
  delete process.env.BILLING_PLANS;
});

describe('subscribing (createSubscription)', () => {
  it('starts the first period, after which reads use only the table', async () => {
    const answer = await subscribe(world.owner);

    expect(answer.status).toBe(201);
    const [subscription] = await world.atProvider();
    const item = subscription?.items.data[0];
    const start = new Date(Number(item?.current_period_start) * 1_000).toISOString();
    const end = new Date(Number(item?.current_period_end) * 1_000).toISOString();
    expect(answer.body).toEqual({
      success: true,
      subscription: {
        id: subscription?.id,
        status: 'active',
        currentPeriodStart: start,
        currentPeriodEnd: end,
      },
      message: 'Subscription created successfully',
    });
    await sandbox.addFault({ service: 'stripe', mode: 'down' });
    expect((await world.read()).body).toEqual({
      subscription: {
        ...answer.body.subscription,
        plan: { id: 'starter', name: 'Starter', amount: 2_900, currency: 'usd', interval: 'month' },
        nextBillingDate: end,
        trialEnd: null,
        cancelAtPeriodEnd: false,
        pendingPlanId: null,
      },
      message: 'Subscription retrieved successfully',
    });
    expect(await world.actions()).toEqual(['billing.subscription_created']);
  });

  it('creates one subscription for two or ten concurrent requests', async () => {
    const paymentMethodId = await defaultCardOf(world.owner.organizationId);

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => subscribe(world.owner, { paymentMethodId })),
    );

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(await world.atProvider()).toHaveLength(1);
    expect(await subscribe(world.owner)).toMatchObject({
      status: 409,
      body: { message: 'The organization already has a subscription' },
    });
  });

  it('charges nothing before a trial ends', async () => {
    const plan = { lookupKey: 'growth_monthly', amountCents: 9_900, monthlyCredits: 500 };
    process.env.BILLING_PLANS = JSON.stringify([
      { id: 'tryout', name: 'Tryout', trialDays: 14, ...plan },
    ]);

    const answer = await subscribe(world.owner, { planId: 'tryout' });

    expect(answer.body.subscription.status).toBe('trialing');
    const { subscription } = (await world.read()).body;
    expect(subscription.trialEnd).toBe(answer.body.subscription.currentPeriodEnd);
    const days = Date.parse(subscription.trialEnd) - Date.parse(subscription.currentPeriodStart);
    expect(days / (24 * 60 * minuteMs)).toBe(14);
  });

  it('charges at once when the organization has already had a trial', async () => {
    const plan = { lookupKey: 'growth_monthly', amountCents: 9_900, monthlyCredits: 500 };
    process.env.BILLING_PLANS = JSON.stringify([
      { id: 'tryout', name: 'Tryout', trialDays: 14, ...plan },
    ]);
    const good = await defaultCardOf(world.owner.organizationId);
    const first = await subscribe(world.owner, { planId: 'tryout' });
    await world.change(cancelSubscription);
    await sandbox.advancePaymentClock(15);
    await deliverAll();
    const bad = await giveCard(world.owner.organizationId, 'pm_card_chargeCustomerFail');

    const refused = await subscribe(world.owner, { planId: 'tryout', paymentMethodId: bad });
    const second = await subscribe(world.owner, { planId: 'tryout', paymentMethodId: good });

    expect([first.body.subscription.status, refused.status]).toEqual(['trialing', 402]);
    expect(second.body.subscription.status).toBe('active');
    expect((await world.read()).body.subscription.trialEnd).toBeNull();
    expect(await world.running()).toMatchObject([{ status: 'active', trial_end: null }]);
  });

  it('returns 400 listing the plans for an unknown plan', async () => {
    const answer = await subscribe(world.owner, { planId: 'enterprise' });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'planId must be one of the following values: starter, growth, scale',
    ]);
    expect(await world.atProvider()).toEqual([]);
  });

  it.each([
    ['another amount', { lookupKey: 'growth_monthly' }],
    ['another currency', { lookupKey: 'euro_monthly' }],
    ['no price', { lookupKey: 'missing_monthly' }],
  ])('returns 502 and charges nobody when the provider has %s for the plan', async (_, lookup) => {
    await provider.prices.create({
      lookup_key: 'euro_monthly',
      currency: 'eur',
      unit_amount: 100,
      recurring: { interval: 'month' },
      product_data: { name: 'Odd' },
    });
    const plan = { ...lookup, amountCents: 100, monthlyCredits: 500 };
    process.env.BILLING_PLANS = JSON.stringify([{ id: 'odd', name: 'Odd', ...plan }]);

    expect((await subscribe(world.owner, { planId: 'odd' })).status).toBe(502);
    expect(await world.atProvider()).toEqual([]);
    expect((await subscribe(world.owner, { planId: 'odd' })).status).toBe(502);
  });

  it.each([
    ['that does not exist', async () => 'pm_1Unknown'],
    ['without a customer', async () => 'pm_card_visa'],
    ['of another customer', async () => defaultCardOf((await newAccount()).organizationId)],
  ])('returns 400 for a card %s', async (_, cardId) => {
    const answer = await subscribe(world.owner, { paymentMethodId: await cardId() });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(/^paymentMethodId /)]);
    expect(await world.atProvider()).toEqual([]);
  });

  it.each([
    ['pm_card_chargeCustomerFail', 'CARD_DECLINED', 'Your card was declined.'],
    [
      'pm_card_authenticationRequired',
      'PAYMENT_ACTION_REQUIRED',
      expect.stringContaining('additional user action'),
    ],
  ])(
    'returns 402 for %s, leaves no subscription, and accepts another card',
    async (testCard, code, message) => {
      const good = await defaultCardOf(world.owner.organizationId);
      const bad = await giveCard(world.owner.organizationId, testCard);

      const answer = await subscribe(world.owner, { paymentMethodId: bad });

      expect(answer.status).toBe(402);
      expect(answer.body).toMatchObject({ error: 'Payment Required', code, message });
      expect(await world.atProvider()).toEqual([]);
      expect((await world.read()).status).toBe(404);
      expect((await subscribe(world.owner, { paymentMethodId: good })).status).toBe(201);
    },
  );

  it('is possible again after the previous subscription ended', async () => {
    await subscribe(world.owner);
    const [former] = await world.running();
    await provider.subscriptions.cancel(former?.id ?? '');
    await deliverAll();
    expect((await world.read()).body.message).toBe(none);

    const answer = await subscribe(world.owner, { planId: 'scale' });

    expect(answer.status).toBe(201);
    await deliverAll();
    expect((await world.read()).body.subscription).toMatchObject({
      status: 'active',
      plan: { id: 'scale' },
    });
    expect(await world.running()).toHaveLength(1);
  });
});

describe('subscribing while the provider does not respond', () => {
  const create = { service: 'stripe', method: 'POST', path: '^/v1/subscriptions$' } as const;

  it.each([
    ['is down', { mode: 'down' }],
    ['refuses connections', { mode: 'refuse' }],
    ['hangs', { mode: 'hang' }],
  ] as const)(
    'returns 502 in time and creates no subscription when the provider %s',
    async (_, fault) => {
      await sandbox.addFault({ ...create, ...fault });

      const { result: answer, waitedMs } = await measureWaits(() => subscribe(world.owner));

      expect(waitedMs).toBeLessThan(10_000);
      expect([answer.status, answer.body.message]).toEqual([502, down]);
      await sandbox.clearFaults();
      setClock(() => Date.now() + minuteMs);
      expect(await runReconcileJob()).toEqual({ settled: 1, open: 0 });
      expect(await world.running()).toEqual([]);
      expect((await world.read()).body.message).toBe(none);
      await deliverAll();
      expect((await world.read()).body.message).toBe(none);
    },
  );

  it('returns 502 when the response is lost, and results in only that subscription', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    expect((await subscribe(world.owner)).status).toBe(502);
    expect((await world.read()).status).toBe(404);
    await sandbox.clearFaults();
    setClock(() => Date.now() + minuteMs);

    expect(await runReconcileJob()).toEqual({ settled: 1, open: 0 });

    expect((await world.read()).body.subscription.status).toBe('active');
    expect(await world.atProvider()).toHaveLength(1);
    expect(await world.actions()).toEqual(['billing.subscription_created']);
  });

  it('is resolved by the next request if that arrives first', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    expect((await subscribe(world.owner)).status).toBe(502);
    await sandbox.clearFaults();

    expect((await subscribe(world.owner, { planId: 'growth' })).status).toBe(409);

    expect((await world.read()).body.subscription.plan.id).toBe('starter');
    expect(await world.atProvider()).toHaveLength(1);
  });

  it('lets the next request succeed when the provider did nothing', async () => {
    await sandbox.addFault({ ...create, mode: 'refuse' });
    expect((await subscribe(world.owner)).status).toBe(502);
    await sandbox.clearFaults();

    expect((await subscribe(world.owner, { planId: 'growth' })).status).toBe(201);

    expect(await world.running()).toHaveLength(1);
    setClock(() => Date.now() + minuteMs);
    await runReconcileJob();
    await deliverAll();
    expect((await world.read()).body.subscription).toMatchObject({
      status: 'active',
      plan: { id: 'growth' },
    });
  });

  it('is resolved by the event if that arrives first', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    expect((await subscribe(world.owner)).status).toBe(502);
    await sandbox.clearFaults();

    await deliverAll();

    expect((await world.read()).body.subscription.status).toBe('active');
    setClock(() => Date.now() + minuteMs);
    expect(await runReconcileJob()).toEqual({ settled: 0, open: 0 });
  });
});
