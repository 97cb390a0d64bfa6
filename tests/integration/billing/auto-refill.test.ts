import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endRefillPause } from '#lib/features/billing/refills/save-auto-refill.ts';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { addPaymentMethod, setDefaultPaymentMethod } from '#schemas/billing-subscription.ts';
import { call } from '#tests/support/api.ts';
import {
  balanceOf,
  defaultCardOf,
  deliverAll,
  expectBalanced,
  giveCard,
  paidBy,
  runReconcileJob,
  runRefillJob,
  useCredit,
} from '#tests/support/billing.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork } from '#tests/support/work.ts';
import { type AutoRefillSetup, autoRefillSetup } from './setup.ts';

let world: AutoRefillSetup;
let clockMs: number;

beforeEach(async () => {
  world = await autoRefillSetup();
  clockMs = Date.now();
});

beforeAll(liftRateLimits);

function advanceClock(ms: number): void {
  clockMs += ms;
  setClock(() => clockMs);
}

const addCard = (paymentMethodId = 'pm_card_mastercard') =>
  call(addPaymentMethod, { token: world.owner.token, body: { paymentMethodId } });

async function refillAtCrossing(): Promise<void> {
  await useCredit(world.organizationId);
  await drainWork('refill-charge');
}

/** Returns the mails about refills, without mails about low credits. */
async function refillMails() {
  const mails = await mailsTo(world.owner.email);

  return mails.filter(({ subject }) => subject.startsWith('Auto-refill'));
}

describe('a refill', () => {
  it('runs when a debit crosses the threshold, and not before', async () => {
    await world.updateAutoRefillSettings({ threshold: 99 });
    await refillAtCrossing();
    expect((await balanceOf(world.organizationId)).credits).toBe(99);

    await refillAtCrossing();

    expect((await balanceOf(world.organizationId)).credits).toBe(1_098);
    expect(await paidBy(world.organizationId)).toMatchObject([
      { amount: 1_000, description: 'Refill of 1000 credits' },
    ]);
    expect((await world.settings()).lastRefill).toEqual(expect.any(String));
    await deliverAll();
    await expectBalanced(world.organizationId);
  });

  it('is started by the scheduled job when the balance is already low', async () => {
    await world.updateAutoRefillSettings({ threshold: 101 });

    await runRefillJob();

    expect((await balanceOf(world.organizationId)).credits).toBe(1_100);
    await expectBalanced(world.organizationId);
  });

  it('runs once when a hundred debits cross the threshold concurrently', async () => {
    await world.updateAutoRefillSettings({ threshold: 100 });

    await Promise.all(Array.from({ length: 100 }, () => useCredit(world.organizationId)));
    await drainWork('refill-charge');

    expect(await paidBy(world.organizationId)).toHaveLength(1);
    expect((await balanceOf(world.organizationId)).credits).toBe(1_000);
    await expectBalanced(world.organizationId);
  });

  it('runs at most every five minutes', async () => {
    await world.refillAlways();
    await refillAtCrossing();
    advanceClock(5 * minuteMs - 1_000);
    await refillAtCrossing();
    await runRefillJob();
    expect(await paidBy(world.organizationId)).toHaveLength(1);

    advanceClock(2_000);
    await refillAtCrossing();

    expect(await paidBy(world.organizationId)).toHaveLength(2);
  });

  it('never exceeds the cap in a calendar month', async () => {
    await world.refillAlways({ amount: 10, monthlyCap: 25 });
    clockMs = Date.UTC(2027, 0, 31, 23, 40);
    advanceClock(0);
    for (const _ of [1, 2, 3]) {
      await refillAtCrossing();
      advanceClock(6 * minuteMs);
    }
    expect(await paidBy(world.organizationId)).toHaveLength(2);

    clockMs = Date.UTC(2027, 1, 1, 0, 1);
    await runRefillJob();

    expect(await paidBy(world.organizationId)).toHaveLength(3);
  });

  it('notifies the owners once per month and cap when the cap stops it', async () => {
    const capMails = async () =>
      (await mailsTo(world.owner.email)).filter(({ text }) => text?.includes('monthly cap'));
    await world.refillAlways({ amount: 10, monthlyCap: 15 });
    clockMs = Date.UTC(2027, 0, 20);
    advanceClock(0);
    await refillAtCrossing();
    expect(await capMails()).toHaveLength(0);
    advanceClock(6 * minuteMs);

    await Promise.all(Array.from({ length: 10 }, () => useCredit(world.organizationId)));
    await runRefillJob();

    const [mail, ...others] = await capMails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('monthly cap of 15 USD');
    setClock();
    await world.refillAlways({ amount: 10, monthlyCap: 16 });
    advanceClock(0);
    await useCredit(world.organizationId);
    expect(await capMails()).toHaveLength(2);
    expect(await paidBy(world.organizationId)).toHaveLength(1);

    clockMs = Date.UTC(2027, 1, 1, 0, 1);
    advanceClock(0);
    await runRefillJob();
    advanceClock(6 * minuteMs);
    await useCredit(world.organizationId);
    expect(await capMails()).toHaveLength(3);
  });
});

describe('a refill with a declined card', () => {
  it('pauses for 1 and 2 hours, is turned off after the third decline, and notifies the owners each time', async () => {
    await giveCard(world.organizationId, 'pm_card_chargeCustomerFail');
    await world.refillAlways();
    advanceClock(0);
    for (const [index, pauseMs] of [hourMs, 2 * hourMs].entries()) {
      await refillAtCrossing();
      const { enabled, nextRefill } = await world.settings();
      expect({ enabled, nextRefill }).toEqual({
        enabled: true,
        nextRefill: new Date(clockMs + pauseMs).toISOString(),
      });
      expect(await refillMails()).toHaveLength(index + 1);
      advanceClock(pauseMs - 1_000);
      await runRefillJob();
      expect((await balanceOf(world.organizationId)).refillSeq).toBe(index + 1);
      advanceClock(2_000);
    }

    await runRefillJob();

    expect(await world.settings()).toMatchObject({ enabled: false, nextRefill: null });
    const mails = await refillMails();
    expect(mails).toHaveLength(3);
    expect(mails.filter(({ text }) => text?.includes('turned auto-refill off'))).toHaveLength(1);
    expect(mails[0]?.text).toContain('Your card was declined.');
    expect((await addCard()).status).toBe(201);
    expect(await world.settings()).toMatchObject({ enabled: false, nextRefill: null });
    expect(await balanceOf(world.organizationId)).not.toHaveProperty('dueAt');
    setClock();
    await deliverAll();
    expect(await refillMails()).toHaveLength(3);
    expect((await balanceOf(world.organizationId)).refillMonthCents).toBe(0);
    await expectBalanced(world.organizationId);
  });

  it('restarts when the settings are saved again', async () => {
    await giveCard(world.organizationId, 'pm_card_authenticationRequired');
    await world.refillAlways();
    await refillAtCrossing();
    expect((await world.settings()).nextRefill).not.toBeNull();
    await giveCard(world.organizationId, 'pm_card_mastercard');

    await world.refillAlways();
    advanceClock(6 * minuteMs);
    await runRefillJob();

    expect(await world.settings()).toMatchObject({ enabled: true, nextRefill: null });
    expect(await paidBy(world.organizationId)).toHaveLength(1);
  });

  it.each([
    ['saved again', { enabled: true }, { refillDeclines: 1 }],
    ['turned off', { enabled: false }, { refillDeclines: null }],
  ])('counts its decline afresh when it is %s concurrently', async (_, settings, set) => {
    await giveCard(world.organizationId, 'pm_card_chargeCustomerFail');
    await world.refillAlways();
    await useCredit(world.organizationId);
    const key = keys.balance(world.organizationId);
    await write(change(key, { set }));
    const begin = () => drainWork('refill-charge');
    await overtake({ begin, key }, () => world.updateAutoRefillSettings(settings));

    const { refillDeclines, ...balance } = await balanceOf(world.organizationId);
    expect([refillDeclines, 'dueAt' in balance]).toEqual([1, settings.enabled]);
  });

  it('restarts when a card is added or chosen', async () => {
    const first = await defaultCardOf(world.organizationId);
    await world.refillAlways();
    const { token } = world.owner;
    const give = [
      () => addCard(),
      () => call(setDefaultPaymentMethod, { token, params: { payment_method_id: first } }),
    ];

    for (const [index, giveCardAnew] of give.entries()) {
      await giveCard(world.organizationId, 'pm_card_chargeCustomerFail');
      await refillAtCrossing();
      expect((await world.settings()).nextRefill).not.toBeNull();
      expect((await giveCardAnew()).status).toBeLessThan(300);
      expect(await world.settings()).toMatchObject({ enabled: true, nextRefill: null });
      advanceClock(6 * minuteMs);
      await runRefillJob();
      expect(await paidBy(world.organizationId)).toHaveLength(index + 1);
      expect((await balanceOf(world.organizationId)).refillDeclines).toBeUndefined();
      advanceClock(6 * minuteMs);
    }
    await expectBalanced(world.organizationId);
  });

  it('stays off after a new card if auto-refill was turned off in the meantime', async () => {
    await giveCard(world.organizationId, 'pm_card_chargeCustomerFail');
    await world.refillAlways();
    await refillAtCrossing();
    const asRead = await balanceOf(world.organizationId);
    await world.updateAutoRefillSettings({ enabled: false });
    const switchedOff = await balanceOf(world.organizationId);

    await endRefillPause(asRead);

    expect(asRead.refillPausedUntil).toBeDefined();
    expect(await balanceOf(world.organizationId)).toEqual(switchedOff);
  });

  it('pauses as declined when the organization has no card left', async () => {
    await provider.paymentMethods.detach(await defaultCardOf(world.organizationId));
    await world.refillAlways();

    await refillAtCrossing();

    expect((await world.settings()).nextRefill).not.toBeNull();
  });
});

describe('a refill without a response from the provider', () => {
  const create = { service: 'stripe', method: 'POST', path: '^/v1/payment_intents$' } as const;

  it('is credited once by the scheduled check when it was charged', async () => {
    await world.refillAlways();
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    await refillAtCrossing();
    await sandbox.clearFaults();
    expect((await balanceOf(world.organizationId)).refillState).toBe('IN_FLIGHT');
    await refillAtCrossing();

    advanceClock(minuteMs);
    await runReconcileJob();

    expect(await paidBy(world.organizationId)).toHaveLength(1);
    expect((await balanceOf(world.organizationId)).refillState).toBe('IDLE');
    setClock();
    await deliverAll();
    await expectBalanced(world.organizationId);
  });

  it('is resolved without a charge and retried by the scheduled job', async () => {
    await world.refillAlways();
    await sandbox.addFault({ ...create, mode: 'down' });
    await refillAtCrossing();
    await sandbox.clearFaults();
    advanceClock(minuteMs);
    await runReconcileJob();
    expect(await paidBy(world.organizationId)).toHaveLength(0);
    expect(await refillMails()).toHaveLength(0);

    advanceClock(5 * minuteMs);
    await runRefillJob();

    expect(await paidBy(world.organizationId)).toHaveLength(1);
    await expectBalanced(world.organizationId);
  });
});
