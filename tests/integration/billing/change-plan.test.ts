import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findSubscription } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import {
  cancelSubscription,
  changePlan,
  pauseSubscription,
  resumeSubscription,
} from '#schemas/billing-subscription.ts';
import { call } from '#tests/support/api.ts';
import {
  balanceOf,
  deliverAll,
  expectBalanced,
  giveCard,
  ledgerOf,
  runReconcileJob,
  subscribe,
} from '#tests/support/billing.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { type SubscriptionSetup, subscriptionSetup } from './setup.ts';

let world: SubscriptionSetup;
const proxy = await useProxy();

beforeAll(liftRateLimits);
beforeEach(async () => {
  world = await subscriptionSetup();
});

function change(planId: string) {
  return call(changePlan, { token: world.owner.token, body: { planId } });
}

const credits = async () => (await balanceOf(world.owner.organizationId)).credits;

async function renew() {
  await sandbox.advancePaymentClock(31);
  await deliverAll();
}

describe('a larger plan', () => {
  it('starts now, charges the rest of the period, and adds the difference of credits once', async () => {
    await subscribe(world.owner);
    await deliverAll();
    await sandbox.advancePaymentClock(15);

    const answer = await change('growth');

    expect(answer.status).toBe(200);
    expect(answer.body.subscription).toEqual((await world.read()).body.subscription);
    expect(await world.plans()).toEqual(['growth', null, 'growth_monthly']);
    const [first, second, ...others] = await world.invoices();
    expect(first).toEqual(['subscription_create', 2_900]);
    expect(second?.[0]).toBe('subscription_update');
    expect(second?.[1]).toBeGreaterThan(3_000);
    expect(second?.[1]).toBeLessThan(4_000);
    expect(others).toEqual([]);
    expect(await credits()).toBe(10_100);
    await deliverAll((events) => [...events, ...events].toReversed());
    expect(await credits()).toBe(10_100);
    expect(await world.actions()).toContain('billing.subscription_plan_changed');
    await renew();
    expect(await credits()).toBe(20_100);
    await expectBalanced(world.owner.organizationId);
  });

  it('changes nothing when its payment is declined', async () => {
    await subscribe(world.owner);
    await deliverAll();
    const card = await giveCard(world.owner.organizationId, 'pm_card_chargeCustomerFail');
    const [subscription] = await world.running();
    await provider.subscriptions.update(String(subscription?.id), { default_payment_method: card });

    const answer = await change('scale');

    expect(answer.status).toBe(402);
    expect(answer.body.message).toBe('Your card was declined.');
    expect(await world.plans()).toEqual(['starter', null, 'starter_monthly']);
    expect((await world.invoices()).length).toBe(1);
    await deliverAll();
    expect(await credits()).toBe(2_600);
    expect(await world.actions()).not.toContain('billing.subscription_plan_changed');
    expect((await change('starter')).status).toBe(409);
  });

  it('is applied once for several concurrent requests', async () => {
    await subscribe(world.owner);
    await deliverAll();

    const answers = await Promise.all(Array.from({ length: 6 }, () => change('growth')));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await world.invoices()).length).toBe(2);
    await deliverAll();
    expect(await credits()).toBe(10_100);
    await expectBalanced(world.owner.organizationId);
  });

  it('is charged based on the paid plan even if a smaller one was pending', async () => {
    await subscribe(world.owner, { planId: 'growth' });
    await deliverAll();
    expect((await change('starter')).status).toBe(200);

    expect((await change('scale')).status).toBe(200);

    expect(await world.plans()).toEqual(['scale', null, 'scale_monthly']);
    expect((await world.invoices()).at(-1)).toEqual(['subscription_update', 20_000]);
    await deliverAll();
    expect(await credits()).toBe(35_100);
    await expectBalanced(world.owner.organizationId);
  });

  it('keeps a smaller pending plan if its payment is declined', async () => {
    await subscribe(world.owner, { planId: 'growth' });
    await deliverAll();
    await change('starter');
    const card = await giveCard(world.owner.organizationId, 'pm_card_chargeCustomerFail');
    const [subscription] = await world.running();
    await provider.subscriptions.update(String(subscription?.id), { default_payment_method: card });

    expect((await change('scale')).status).toBe(402);

    expect(await world.plans()).toEqual(['growth', 'starter', 'starter_monthly']);
    await deliverAll();
    expect(await world.plans()).toEqual(['growth', 'starter', 'starter_monthly']);
  });

  it('can be refunded, which takes back the share of the added credits', async () => {
    await subscribe(world.owner);
    await change('growth');
    await deliverAll();
    const [payment] = (await provider.invoicePayments.list({ limit: 1 })).data;
    await provider.refunds.create({ payment_intent: String(payment?.payment.payment_intent) });
    await deliverAll();

    expect(await credits()).toBe(2_600);
    await expectBalanced(world.owner.organizationId);
  });
});

describe('a smaller plan', () => {
  it('starts with the next period', async () => {
    await subscribe(world.owner, { planId: 'growth' });
    await deliverAll();

    const answer = await change('starter');

    expect(answer.body.subscription).toMatchObject({
      plan: { id: 'growth' },
      pendingPlanId: 'starter',
    });
    expect(await world.plans()).toEqual(['growth', 'starter', 'starter_monthly']);
    expect((await change('starter')).status).toBe(409);
    await deliverAll((events) => events.toReversed());
    expect(await world.plans()).toEqual(['growth', 'starter', 'starter_monthly']);
    await renew();

    expect(await world.plans()).toEqual(['starter', null, 'starter_monthly']);
    expect(await world.invoices()).toEqual([
      ['subscription_create', 9_900],
      ['subscription_cycle', 2_900],
    ]);
    expect(await credits()).toBe(12_600);
    await expectBalanced(world.owner.organizationId);
  });

  it('is undone by choosing the current plan', async () => {
    await subscribe(world.owner, { planId: 'scale' });
    await deliverAll();
    await change('growth');
    expect((await change('starter')).status).toBe(200);
    expect(await world.plans()).toEqual(['scale', 'starter', 'starter_monthly']);

    const answer = await change('scale');

    expect(answer.status).toBe(200);
    expect(await world.plans()).toEqual(['scale', null, 'scale_monthly']);
    expect((await change('scale')).status).toBe(409);
    await renew();
    expect((await world.invoices()).at(-1)).toEqual(['subscription_cycle', 29_900]);
    await expectBalanced(world.owner.organizationId);
  });
});

describe('changing the plan', () => {
  it('is rejected for an unknown plan, the same plan, and without a subscription', async () => {
    expect((await change('growth')).status).toBe(404);
    await subscribe(world.owner);

    const unknown = await change('huge');
    expect(unknown.status).toBe(400);
    expect(unknown.body.message).toEqual([expect.stringMatching(/^planId must be one of/)]);
    const same = await change('starter');
    expect([same.status, same.body.message]).toEqual([
      409,
      'The subscription already has this plan',
    ]);
  });

  it('is rejected while the subscription is paused or ending, and possible after resuming', async () => {
    await subscribe(world.owner);
    await deliverAll();
    await world.change(pauseSubscription);
    expect((await change('growth')).status).toBe(409);
    await world.change(resumeSubscription);
    await world.change(cancelSubscription);
    expect((await change('growth')).status).toBe(409);

    expect((await world.change(resumeSubscription)).status).toBe(200);

    expect((await world.read()).body.subscription.cancelAtPeriodEnd).toBe(false);
    expect((await world.change(resumeSubscription)).status).toBe(409);
    expect((await change('growth')).status).toBe(200);
  });

  it('is rejected while a payment is overdue', async () => {
    await subscribe(world.owner, {
      paymentMethodId: await giveCard(world.owner.organizationId, 'pm_card_visa'),
    });
    const card = await giveCard(world.owner.organizationId, 'pm_card_chargeCustomerFail');
    const [subscription] = await world.running();
    await provider.subscriptions.update(String(subscription?.id), { default_payment_method: card });
    await renew();
    expect((await world.read()).body.subscription.status).toBe('past_due');

    expect((await change('growth')).status).toBe(409);
  });

  it('returns 502 when the outcome is unknown, and is completed and credited once', async () => {
    await subscribe(world.owner);
    await deliverAll();
    await sandbox.addFault({
      service: 'stripe',
      method: 'POST',
      path: '^/v1/subscriptions/sub_',
      mode: 'hang-after',
    });
    expect((await change('growth')).status).toBe(502);
    await sandbox.clearFaults();
    for (const planId of ['growth', 'scale', 'starter']) {
      const { status, body } = await change(planId);
      expect([status, body.message]).toEqual([409, 'Another request is changing the subscription']);
    }

    setClock(() => Date.now() + minuteMs);
    await runReconcileJob();
    setClock();

    expect(await world.plans()).toEqual(['growth', null, 'growth_monthly']);
    expect((await change('growth')).status).toBe(409);
    await deliverAll();
    expect(await credits()).toBe(10_100);
    expect((await world.invoices()).length).toBe(2);
    await expectBalanced(world.owner.organizationId);
  });
});

/** A change writes the lease and the outcome. The provider is called in between. */
const crashes = [
  ['before the change is stored', 'UpdateItem', 'before', 1, 'starter'],
  ['before the provider is called', 'UpdateItem', 'after', 1, 'starter'],
  ['before the difference is credited', 'TransactWriteItems', 'before', 1, 'growth'],
  ['after the difference is credited', 'TransactWriteItems', 'after', 1, 'growth'],
  ['before the outcome is stored', 'TransactWriteItems', 'before', 2, 'growth'],
  ['after the outcome is stored', 'TransactWriteItems', 'after', 2, 'growth'],
] as const;

describe('an upgrade that crashes', () => {
  it.each(crashes)('%s is completed with charge and credits, or not at all', async (...crash) => {
    const [, operation, when, nth, planId] = crash;
    const { token, organizationId } = world.owner;
    await subscribe(world.owner);
    await deliverAll();
    const request = { token, body: { planId: 'growth' } };
    const doomed = await callInProcess(changePlan, request, proxy.endpoint);
    proxy.faults.add({ operation, nth, fault: { kind: 'kill', when, victim: doomed.kill } });
    expect(await doomed.answer).toBeUndefined();
    expect(proxy.faults.hits()).toHaveLength(1);

    setClock(() => Date.now() + minuteMs);
    await runReconcileJob();
    setClock();
    await deliverAll();

    expect(await world.plans()).toEqual([planId, null, `${planId}_monthly`]);
    expect(await credits()).toBe(planId === 'growth' ? 10_100 : 2_600);
    expect((await findSubscription(organizationId))?.planChange).toBeUndefined();
    expect((await change('growth')).status).toBe(planId === 'growth' ? 409 : 200);
    await deliverAll();
    const ledger = await ledgerOf(organizationId);
    expect(ledger.filter(({ type }) => type === 'subscription_credit')).toHaveLength(2);
    await expectBalanced(organizationId);
  });
});
