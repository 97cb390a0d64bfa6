import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { repliesArePaused } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import {
  cancelSubscription,
  createSubscription,
  getSubscription,
  pauseSubscription,
  resumeSubscription,
} from '#schemas/billing-subscription.ts';
import type { Contract } from '#schemas/contract.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import {
  customerOf,
  defaultCardOf,
  deliverAll,
  giveCard,
  runReconcileJob,
  subscribe,
} from '#tests/support/billing.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems } from '#tests/support/table.ts';

const down = 'Payment service temporarily unavailable';
const none = 'No active subscription found';

let owner: Account;

beforeAll(() => {
  liftRateLimits();
});

beforeEach(async () => {
  await sandbox.reset();
  owner = await newAccount();
});

afterEach(async () => {
  setClock();
  delete process.env.BILLING_PLANS;
  await sandbox.clearFaults();
});

const read = () => call(getSubscription, { token: owner.token });
const change = (contract: Contract) => call(contract, { token: owner.token });

/** Returns all of the organization's subscriptions at the provider, including ended ones. */
async function atProvider() {
  const customer = await customerOf(owner.organizationId);
  const { data } = await provider.subscriptions.list({ customer, status: 'all' });

  return data;
}

async function running() {
  return (await atProvider()).filter(({ ended_at: endedAt }) => endedAt === null);
}

async function actions(): Promise<readonly unknown[]> {
  const items = await storedItems(`ORG#${owner.organizationId}`);

  return items.flatMap(({ action }) => (String(action).includes('subscription') ? [action] : []));
}

describe('subscribing', () => {
  it('starts the first period, after which reads use only the table', async () => {
    const answer = await subscribe(owner);

    expect(answer.status).toBe(201);
    const [subscription] = await atProvider();
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
    expect((await read()).body).toEqual({
      subscription: {
        ...answer.body.subscription,
        plan: { id: 'starter', name: 'Starter', amount: 2_900, currency: 'usd', interval: 'month' },
        nextBillingDate: end,
        trialEnd: null,
        cancelAtPeriodEnd: false,
      },
      message: 'Subscription retrieved successfully',
    });
    expect(await actions()).toEqual(['billing.subscription_created']);
  });

  it('creates one subscription for two or ten concurrent requests', async () => {
    const paymentMethodId = await defaultCardOf(owner.organizationId);

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => subscribe(owner, { paymentMethodId })),
    );

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(await atProvider()).toHaveLength(1);
    expect(await subscribe(owner)).toMatchObject({
      status: 409,
      body: { message: 'The organization already has a subscription' },
    });
  });

  it('charges nothing before a trial ends', async () => {
    const plan = { lookupKey: 'growth_monthly', amountCents: 9_900, monthlyCredits: 500 };
    process.env.BILLING_PLANS = JSON.stringify([
      { id: 'tryout', name: 'Tryout', trialDays: 14, ...plan },
    ]);

    const answer = await subscribe(owner, { planId: 'tryout' });

    expect(answer.body.subscription.status).toBe('trialing');
    const { subscription } = (await read()).body;
    expect(subscription.trialEnd).toBe(answer.body.subscription.currentPeriodEnd);
    const days = Date.parse(subscription.trialEnd) - Date.parse(subscription.currentPeriodStart);
    expect(days / (24 * 60 * minuteMs)).toBe(14);
  });

  it('charges at once when the organization has already had a trial', async () => {
    const plan = { lookupKey: 'growth_monthly', amountCents: 9_900, monthlyCredits: 500 };
    process.env.BILLING_PLANS = JSON.stringify([
      { id: 'tryout', name: 'Tryout', trialDays: 14, ...plan },
    ]);
    const good = await defaultCardOf(owner.organizationId);
    const first = await subscribe(owner, { planId: 'tryout' });
    await change(cancelSubscription);
    await sandbox.advancePaymentClock(15);
    await deliverAll();
    const bad = await giveCard(owner.organizationId, 'pm_card_chargeCustomerFail');

    const refused = await subscribe(owner, { planId: 'tryout', paymentMethodId: bad });
    const second = await subscribe(owner, { planId: 'tryout', paymentMethodId: good });

    expect([first.body.subscription.status, refused.status]).toEqual(['trialing', 402]);
    expect(second.body.subscription.status).toBe('active');
    expect((await read()).body.subscription.trialEnd).toBeNull();
    expect(await running()).toMatchObject([{ status: 'active', trial_end: null }]);
  });

  it('returns 400 listing the plans for an unknown plan', async () => {
    const answer = await subscribe(owner, { planId: 'enterprise' });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'planId must be one of the following values: starter, growth, scale',
    ]);
    expect(await atProvider()).toEqual([]);
  });

  it('returns 502 and charges nobody when the provider has a different price for the plan', async () => {
    const plan = { lookupKey: 'growth_monthly', amountCents: 100, monthlyCredits: 500 };
    process.env.BILLING_PLANS = JSON.stringify([{ id: 'odd', name: 'Odd', ...plan }]);

    expect((await subscribe(owner, { planId: 'odd' })).status).toBe(502);
    expect(await atProvider()).toEqual([]);
    expect((await subscribe(owner, { planId: 'odd' })).status).toBe(502);
  });

  it.each([
    ['that does not exist', async () => 'pm_1Unknown'],
    ['without a customer', async () => 'pm_card_visa'],
    ['of another customer', async () => defaultCardOf((await newAccount()).organizationId)],
  ])('returns 400 for a card %s', async (_, cardId) => {
    const answer = await subscribe(owner, { paymentMethodId: await cardId() });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(/^paymentMethodId /)]);
    expect(await atProvider()).toEqual([]);
  });

  it.each([
    ['pm_card_chargeCustomerFail', 'Your card was declined.'],
    ['pm_card_authenticationRequired', expect.stringContaining('additional user action')],
  ])(
    'returns 402 for %s, leaves no subscription, and accepts another card',
    async (testCard, message) => {
      const good = await defaultCardOf(owner.organizationId);
      const bad = await giveCard(owner.organizationId, testCard);

      const answer = await subscribe(owner, { paymentMethodId: bad });

      expect(answer.status).toBe(402);
      expect(answer.body).toMatchObject({ error: 'Payment Required', message });
      expect(await atProvider()).toEqual([]);
      expect((await read()).status).toBe(404);
      expect((await subscribe(owner, { paymentMethodId: good })).status).toBe(201);
    },
  );

  it('is possible again after the previous subscription ended', async () => {
    await subscribe(owner);
    const [former] = await running();
    await provider.subscriptions.cancel(former?.id ?? '');
    await deliverAll();
    expect((await read()).body.message).toBe(none);

    const answer = await subscribe(owner, { planId: 'scale' });

    expect(answer.status).toBe(201);
    await deliverAll();
    expect((await read()).body.subscription).toMatchObject({
      status: 'active',
      plan: { id: 'scale' },
    });
    expect(await running()).toHaveLength(1);
  });

  it.each(['MEMBER', 'VIEWER'] as const)('is denied to a %s', async (role) => {
    const member = await newMember(owner, role);
    const headers = { 'x-organization-id': owner.organizationId };
    for (const contract of [
      createSubscription,
      getSubscription,
      cancelSubscription,
      pauseSubscription,
      resumeSubscription,
    ]) {
      const answer = await call(contract, { token: member.token, headers });
      expect(answer.status).toBe(403);
      expect(answer.body.message).toBe('Only owners and admins can access billing');
    }
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
      const began = performance.now();

      const answer = await subscribe(owner);

      expect(performance.now() - began).toBeLessThan(10_000);
      expect([answer.status, answer.body.message]).toEqual([502, down]);
      await sandbox.clearFaults();
      setClock(() => Date.now() + minuteMs);
      expect(await runReconcileJob()).toEqual({ settled: 1, open: 0 });
      expect(await running()).toEqual([]);
      expect((await read()).body.message).toBe(none);
      await deliverAll();
      expect((await read()).body.message).toBe(none);
    },
  );

  it('returns 502 when the response is lost, and ends with that one subscription', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    expect((await subscribe(owner)).status).toBe(502);
    expect((await read()).status).toBe(404);
    await sandbox.clearFaults();
    setClock(() => Date.now() + minuteMs);

    expect(await runReconcileJob()).toEqual({ settled: 1, open: 0 });

    expect((await read()).body.subscription.status).toBe('active');
    expect(await atProvider()).toHaveLength(1);
    expect(await actions()).toEqual(['billing.subscription_created']);
  });

  it('is resolved by the next request if that comes first', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    expect((await subscribe(owner)).status).toBe(502);
    await sandbox.clearFaults();

    expect((await subscribe(owner, { planId: 'growth' })).status).toBe(409);

    expect((await read()).body.subscription.plan.id).toBe('starter');
    expect(await atProvider()).toHaveLength(1);
  });

  it('lets the next request succeed when the provider did nothing', async () => {
    await sandbox.addFault({ ...create, mode: 'refuse' });
    expect((await subscribe(owner)).status).toBe(502);
    await sandbox.clearFaults();

    expect((await subscribe(owner, { planId: 'growth' })).status).toBe(201);

    expect(await running()).toHaveLength(1);
    setClock(() => Date.now() + minuteMs);
    await runReconcileJob();
    await deliverAll();
    expect((await read()).body.subscription).toMatchObject({
      status: 'active',
      plan: { id: 'growth' },
    });
  });

  it('is resolved by the event if that comes first', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    expect((await subscribe(owner)).status).toBe(502);
    await sandbox.clearFaults();

    await deliverAll();

    expect((await read()).body.subscription.status).toBe('active');
    setClock(() => Date.now() + minuteMs);
    expect(await runReconcileJob()).toEqual({ settled: 0, open: 0 });
  });
});

describe('a subscription', () => {
  const changes = [cancelSubscription, pauseSubscription, resumeSubscription];

  it('returns 404 for every operation when there is none', async () => {
    for (const contract of [getSubscription, ...changes]) {
      expect(await change(contract)).toMatchObject({ status: 404, body: { message: none } });
    }
  });

  it('is canceled once at the end of its period, even for repeated requests', async () => {
    await subscribe(owner);

    const answers = [await change(cancelSubscription), await change(cancelSubscription)];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await running()).toMatchObject([{ status: 'active', cancel_at_period_end: true }]);
    expect((await read()).body.subscription).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      nextBillingDate: null,
    });
    expect(await actions()).toEqual([
      'billing.subscription_created',
      'billing.subscription_canceled',
    ]);
    await sandbox.advancePaymentClock(32);
    await deliverAll();
    expect((await read()).status).toBe(404);
  });

  it('collects no payments and sends no replies while paused, until it is resumed', async () => {
    await subscribe(owner);

    expect((await change(pauseSubscription)).body.message).toBe('Subscription paused successfully');

    expect((await read()).body.subscription).toMatchObject({
      status: 'paused',
      nextBillingDate: null,
    });
    expect(await repliesArePaused(owner.organizationId)).toBe(true);
    expect(await running()).toMatchObject([{ pause_collection: { behavior: 'void' } }]);
    expect(await change(pauseSubscription)).toMatchObject({
      status: 409,
      body: { message: 'Subscription is already paused' },
    });
    await sandbox.advancePaymentClock(32);
    await deliverAll();
    const customer = await customerOf(owner.organizationId);
    const { data } = await provider.invoices.list({ customer });
    expect(data.map(({ status }) => status)).toEqual(['void', 'paid']);
    expect((await read()).body.subscription.status).toBe('paused');

    expect((await change(resumeSubscription)).body.message).toBe(
      'Subscription resumed successfully',
    );

    expect((await read()).body.subscription.status).toBe('active');
    expect(await repliesArePaused(owner.organizationId)).toBe(false);
    expect(await change(resumeSubscription)).toMatchObject({
      status: 409,
      body: { message: 'Subscription is not paused' },
    });
  });

  it('can be resumed when it was paused at the provider', async () => {
    await subscribe(owner);
    const [subscription] = await running();
    await provider.subscriptions.pause(subscription?.id ?? '');
    await deliverAll();
    expect((await read()).body.subscription.status).toBe('paused');

    expect((await change(resumeSubscription)).status).toBe(200);

    expect(await running()).toMatchObject([{ status: 'active' }]);
    expect(await repliesArePaused(owner.organizationId)).toBe(false);
  });

  it.each([
    ['down', 'down'],
    ['hanging', 'hang'],
  ] as const)('is unchanged while the provider is %s', async (_, mode) => {
    await subscribe(owner);
    const before = (await read()).body;
    await sandbox.addFault({ service: 'stripe', mode });
    const began = performance.now();

    const answers = await Promise.all([change(cancelSubscription), change(pauseSubscription)]);

    expect(performance.now() - began).toBeLessThan(10_000);
    expect(answers.map(({ status }) => status)).toEqual([502, 502]);
    expect((await read()).body).toEqual(before);
  });

  it('is marked as paused by the event when the response was lost', async () => {
    await subscribe(owner);
    vi.stubEnv('PAYMENT_TIMEOUT_MS', '1000');
    await sandbox.addFault({ service: 'stripe', method: 'POST', mode: 'hang-after' });
    expect((await change(pauseSubscription)).status).toBe(502);
    vi.unstubAllEnvs();
    await sandbox.clearFaults();

    await deliverAll();

    expect((await read()).body.subscription.status).toBe('paused');
  });
});
