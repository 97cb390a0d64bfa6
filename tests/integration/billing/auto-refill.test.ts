import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endRefillPause } from '#lib/features/billing/refills/auto-refill-settings.ts';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { getAutoRefillSettings, updateAutoRefillSettings } from '#schemas/billing.ts';
import { addPaymentMethod, setDefaultPaymentMethod } from '#schemas/billing-subscription.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
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
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork } from '#tests/support/work.ts';

let owner: Account;
let organizationId: string;
let clockMs: number;

beforeAll(() => {
  liftRateLimits();
});

beforeEach(async () => {
  owner = await newAccount();
  organizationId = owner.organizationId;
  clockMs = Date.now();
});

afterEach(async () => {
  setClock();
  await sandbox.clearFaults();
});

function advanceClock(ms: number): void {
  clockMs += ms;
  setClock(() => clockMs);
}

function save(settings: object = {}) {
  return call(updateAutoRefillSettings, {
    token: owner.token,
    body: { enabled: true, threshold: 100, amount: 10, ...settings },
  });
}

async function settings() {
  return (await call(getAutoRefillSettings, { token: owner.token })).body.autoRefill;
}

const addCard = (paymentMethodId = 'pm_card_mastercard') =>
  call(addPaymentMethod, { token: owner.token, body: { paymentMethodId } });

async function refillAtCrossing(): Promise<void> {
  await useCredit(organizationId);
  await drainWork('refill-charge');
}

describe('auto-refill settings', () => {
  it('are off by default and are returned as saved', async () => {
    expect(await settings()).toMatchObject({ enabled: false, lastRefill: null, nextRefill: null });

    const answer = await save({ threshold: 50, amount: 12.5, monthlyCap: 100 });

    expect(answer.status).toBe(200);
    expect(answer.body.autoRefill).toEqual({
      enabled: true,
      threshold: 50,
      amount: 12.5,
      monthlyCap: 100,
    });
    expect(await settings()).toEqual({
      enabled: true,
      threshold: 50,
      amount: 12.5,
      monthlyCap: 100,
      lastRefill: null,
      nextRefill: null,
    });
    const log = await call(listAuditLog, {
      token: owner.token,
      params: { organization_id: organizationId },
    });
    expect(log.body.entries[0].action).toBe('billing.auto_refill_changed');
  });

  it.each([
    [{ amount: 4.99 }, /^amount /],
    [{ amount: 10_001 }, /^amount /],
    [{ threshold: -1 }, /^threshold /],
    [{ threshold: 0.5 }, /^threshold /],
    [{ enabled: 'yes' }, /^enabled /],
    [{ amount: 50, monthlyCap: 49 }, /^monthlyCap must not be less than amount$/],
  ])('reject %j', async (wrong, message) => {
    const answer = await save(wrong);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(message)]);
    expect(await settings()).toMatchObject({ enabled: false });
  });

  it.each(['MEMBER', 'VIEWER'] as const)('are hidden from a %s', async (role) => {
    const { token } = await newMember(owner, role);
    const headers = { 'x-organization-id': organizationId };

    expect((await call(getAutoRefillSettings, { token, headers })).status).toBe(403);
  });
});

describe('a refill', () => {
  it('runs when a debit crosses the threshold, and not before', async () => {
    await save({ threshold: 99 });
    await refillAtCrossing();
    expect((await balanceOf(organizationId)).credits).toBe(99);

    await refillAtCrossing();

    expect((await balanceOf(organizationId)).credits).toBe(1_098);
    expect(await paidBy(organizationId)).toMatchObject([
      { amount: 1_000, description: 'Refill of 1000 credits' },
    ]);
    expect((await settings()).lastRefill).toEqual(expect.any(String));
    await deliverAll();
    await expectBalanced(organizationId);
  });

  it('is started by the scheduled job when the balance is already low', async () => {
    await save({ threshold: 101 });

    await runRefillJob();

    expect((await balanceOf(organizationId)).credits).toBe(1_100);
    await expectBalanced(organizationId);
  });

  it('runs once when a hundred debits cross the threshold concurrently', async () => {
    await save({ threshold: 100 });

    await Promise.all(Array.from({ length: 100 }, () => useCredit(organizationId)));
    await drainWork('refill-charge');

    expect(await paidBy(organizationId)).toHaveLength(1);
    expect((await balanceOf(organizationId)).credits).toBe(1_000);
    await expectBalanced(organizationId);
  });

  it('runs at most every five minutes', async () => {
    await save({ threshold: 10_000 });
    await refillAtCrossing();
    advanceClock(5 * minuteMs - 1_000);
    await refillAtCrossing();
    await runRefillJob();
    expect(await paidBy(organizationId)).toHaveLength(1);

    advanceClock(2_000);
    await refillAtCrossing();

    expect(await paidBy(organizationId)).toHaveLength(2);
  });

  it('never exceeds the cap in a calendar month', async () => {
    await save({ threshold: 10_000, amount: 10, monthlyCap: 25 });
    clockMs = Date.UTC(2027, 0, 31, 23, 40);
    advanceClock(0);
    for (const _ of [1, 2, 3]) {
      await refillAtCrossing();
      advanceClock(6 * minuteMs);
    }
    expect(await paidBy(organizationId)).toHaveLength(2);

    clockMs = Date.UTC(2027, 1, 1, 0, 1);
    await runRefillJob();

    expect(await paidBy(organizationId)).toHaveLength(3);
  });

  it('notifies the owners once per month and cap when the cap stops it', async () => {
    const capMails = async () =>
      (await mailsTo(owner.email)).filter(({ text }) => text?.includes('monthly cap'));
    await save({ threshold: 10_000, amount: 10, monthlyCap: 15 });
    clockMs = Date.UTC(2027, 0, 20);
    advanceClock(0);
    await refillAtCrossing();
    expect(await capMails()).toHaveLength(0);
    advanceClock(6 * minuteMs);

    await Promise.all(Array.from({ length: 10 }, () => useCredit(organizationId)));
    await runRefillJob();

    const [mail, ...others] = await capMails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('monthly cap of 15 USD');
    setClock();
    await save({ threshold: 10_000, amount: 10, monthlyCap: 16 });
    advanceClock(0);
    await useCredit(organizationId);
    expect(await capMails()).toHaveLength(2);
    expect(await paidBy(organizationId)).toHaveLength(1);

    clockMs = Date.UTC(2027, 1, 1, 0, 1);
    advanceClock(0);
    await runRefillJob();
    advanceClock(6 * minuteMs);
    await useCredit(organizationId);
    expect(await capMails()).toHaveLength(3);
  });
});

describe('a refill with a declined card', () => {
  it('pauses for 1 and 2 hours, switches off after the third decline, and notifies the owners each time', async () => {
    await giveCard(organizationId, 'pm_card_chargeCustomerFail');
    await save({ threshold: 10_000 });
    advanceClock(0);
    for (const [index, pauseMs] of [hourMs, 2 * hourMs].entries()) {
      await refillAtCrossing();
      const { enabled, nextRefill } = await settings();
      expect({ enabled, nextRefill }).toEqual({
        enabled: true,
        nextRefill: new Date(clockMs + pauseMs).toISOString(),
      });
      expect(await mailsTo(owner.email)).toHaveLength(index + 1);
      advanceClock(pauseMs - 1_000);
      await runRefillJob();
      expect((await balanceOf(organizationId)).refillSeq).toBe(index + 1);
      advanceClock(2_000);
    }

    await runRefillJob();

    expect(await settings()).toMatchObject({ enabled: false, nextRefill: null });
    const mails = await mailsTo(owner.email);
    expect(mails).toHaveLength(3);
    expect(mails.filter(({ text }) => text?.includes('turned auto-refill off'))).toHaveLength(1);
    expect(mails[0]?.text).toContain('Your card was declined.');
    expect((await addCard()).status).toBe(201);
    expect(await settings()).toMatchObject({ enabled: false, nextRefill: null });
    expect(await balanceOf(organizationId)).not.toHaveProperty('dueAt');
    setClock();
    await deliverAll();
    expect(await mailsTo(owner.email)).toHaveLength(3);
    expect((await balanceOf(organizationId)).refillMonthCents).toBe(0);
    await expectBalanced(organizationId);
  });

  it('restarts when the settings are saved again', async () => {
    await giveCard(organizationId, 'pm_card_authenticationRequired');
    await save({ threshold: 10_000 });
    await refillAtCrossing();
    expect((await settings()).nextRefill).not.toBeNull();
    await giveCard(organizationId, 'pm_card_mastercard');

    await save({ threshold: 10_000 });
    advanceClock(6 * minuteMs);
    await runRefillJob();

    expect(await settings()).toMatchObject({ enabled: true, nextRefill: null });
    expect(await paidBy(organizationId)).toHaveLength(1);
  });

  it('restarts when a card is added or chosen', async () => {
    const first = await defaultCardOf(organizationId);
    await save({ threshold: 10_000 });
    const { token } = owner;
    const give = [
      () => addCard(),
      () => call(setDefaultPaymentMethod, { token, params: { payment_method_id: first } }),
    ];

    for (const [index, giveCardAnew] of give.entries()) {
      await giveCard(organizationId, 'pm_card_chargeCustomerFail');
      await refillAtCrossing();
      expect((await settings()).nextRefill).not.toBeNull();
      expect((await giveCardAnew()).status).toBeLessThan(300);
      expect(await settings()).toMatchObject({ enabled: true, nextRefill: null });
      advanceClock(6 * minuteMs);
      await runRefillJob();
      expect(await paidBy(organizationId)).toHaveLength(index + 1);
      expect((await balanceOf(organizationId)).refillDeclines).toBeUndefined();
      advanceClock(6 * minuteMs);
    }
    await expectBalanced(organizationId);
  });

  it('stays off after a new card when auto-refill was switched off in the meantime', async () => {
    await giveCard(organizationId, 'pm_card_chargeCustomerFail');
    await save({ threshold: 10_000 });
    await refillAtCrossing();
    const asRead = await balanceOf(organizationId);
    await save({ enabled: false, threshold: 10_000 });
    const switchedOff = await balanceOf(organizationId);

    await endRefillPause(asRead);

    expect(asRead.refillPausedUntil).toBeDefined();
    expect(await balanceOf(organizationId)).toEqual(switchedOff);
  });

  it('pauses as declined when the organization has no card left', async () => {
    await provider.paymentMethods.detach(await defaultCardOf(organizationId));
    await save({ threshold: 10_000 });

    await refillAtCrossing();

    expect((await settings()).nextRefill).not.toBeNull();
  });
});

describe('a refill without a response from the provider', () => {
  const create = { service: 'stripe', method: 'POST', path: '^/v1/payment_intents$' } as const;

  it('is credited once by the scheduled check when it was charged', async () => {
    await save({ threshold: 10_000 });
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    await refillAtCrossing();
    await sandbox.clearFaults();
    expect((await balanceOf(organizationId)).refillState).toBe('IN_FLIGHT');
    await refillAtCrossing();

    advanceClock(minuteMs);
    await runReconcileJob();

    expect(await paidBy(organizationId)).toHaveLength(1);
    expect((await balanceOf(organizationId)).refillState).toBe('IDLE');
    setClock();
    await deliverAll();
    await expectBalanced(organizationId);
  });

  it('is resolved without a charge and retried by the scheduled job', async () => {
    await save({ threshold: 10_000 });
    await sandbox.addFault({ ...create, mode: 'down' });
    await refillAtCrossing();
    await sandbox.clearFaults();
    advanceClock(minuteMs);
    await runReconcileJob();
    expect(await paidBy(organizationId)).toHaveLength(0);
    expect(await mailsTo(owner.email)).toHaveLength(0);

    advanceClock(5 * minuteMs);
    await runRefillJob();

    expect(await paidBy(organizationId)).toHaveLength(1);
    await expectBalanced(organizationId);
  });
});
