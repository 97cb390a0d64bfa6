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

function letPass(ms: number): void {
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

describe('the settings of auto-refill', () => {
  it('are off at first, and are shown as they are saved', async () => {
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
  ])('are refused where they are %j', async (wrong, message) => {
    const answer = await save(wrong);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(message)]);
    expect(await settings()).toMatchObject({ enabled: false });
  });

  it.each(['MEMBER', 'VIEWER'] as const)('are not for a %s', async (role) => {
    const { token } = await newMember(owner, role);
    const headers = { 'x-organization-id': organizationId };

    expect((await call(getAutoRefillSettings, { token, headers })).status).toBe(403);
  });
});

describe('a refill', () => {
  it('follows the debit that crosses the threshold, and none before', async () => {
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

  it('is begun by schedule where the balance is low already', async () => {
    await save({ threshold: 101 });

    await runRefillJob();

    expect((await balanceOf(organizationId)).credits).toBe(1_100);
    await expectBalanced(organizationId);
  });

  it('is one, when a hundred debits cross the threshold at once', async () => {
    await save({ threshold: 100 });

    await Promise.all(Array.from({ length: 100 }, () => useCredit(organizationId)));
    await drainWork('refill-charge');

    expect(await paidBy(organizationId)).toHaveLength(1);
    expect((await balanceOf(organizationId)).credits).toBe(1_000);
    await expectBalanced(organizationId);
  });

  it('comes no sooner than five minutes after the last', async () => {
    await save({ threshold: 10_000 });
    await refillAtCrossing();
    letPass(5 * minuteMs - 1_000);
    await refillAtCrossing();
    await runRefillJob();
    expect(await paidBy(organizationId)).toHaveLength(1);

    letPass(2_000);
    await refillAtCrossing();

    expect(await paidBy(organizationId)).toHaveLength(2);
  });

  it('costs no more in a calendar month than the cap', async () => {
    await save({ threshold: 10_000, amount: 10, monthlyCap: 25 });
    clockMs = Date.UTC(2027, 0, 31, 23, 40);
    letPass(0);
    for (const _ of [1, 2, 3]) {
      await refillAtCrossing();
      letPass(6 * minuteMs);
    }
    expect(await paidBy(organizationId)).toHaveLength(2);

    clockMs = Date.UTC(2027, 1, 1, 0, 1);
    await runRefillJob();

    expect(await paidBy(organizationId)).toHaveLength(3);
  });

  it('that the cap stops is told to the owners, once for a month and a cap', async () => {
    const capMails = async () =>
      (await mailsTo(owner.email)).filter(({ text }) => text?.includes('monthly cap'));
    await save({ threshold: 10_000, amount: 10, monthlyCap: 15 });
    clockMs = Date.UTC(2027, 0, 20);
    letPass(0);
    await refillAtCrossing();
    expect(await capMails()).toHaveLength(0);
    letPass(6 * minuteMs);

    await Promise.all(Array.from({ length: 10 }, () => useCredit(organizationId)));
    await runRefillJob();

    const [mail, ...others] = await capMails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('monthly cap of 15 USD');
    setClock();
    await save({ threshold: 10_000, amount: 10, monthlyCap: 16 });
    letPass(0);
    await useCredit(organizationId);
    expect(await capMails()).toHaveLength(2);
    expect(await paidBy(organizationId)).toHaveLength(1);

    clockMs = Date.UTC(2027, 1, 1, 0, 1);
    letPass(0);
    await runRefillJob();
    letPass(6 * minuteMs);
    await useCredit(organizationId);
    expect(await capMails()).toHaveLength(3);
  });
});

describe('a refill whose card is refused', () => {
  it('pauses for 1 and 2 hours, is off after the third, and is told to the owners each time', async () => {
    await giveCard(organizationId, 'pm_card_chargeCustomerFail');
    await save({ threshold: 10_000 });
    letPass(0);
    for (const [index, pauseMs] of [hourMs, 2 * hourMs].entries()) {
      await refillAtCrossing();
      const { enabled, nextRefill } = await settings();
      expect({ enabled, nextRefill }).toEqual({
        enabled: true,
        nextRefill: new Date(clockMs + pauseMs).toISOString(),
      });
      expect(await mailsTo(owner.email)).toHaveLength(index + 1);
      letPass(pauseMs - 1_000);
      await runRefillJob();
      expect((await balanceOf(organizationId)).refillSeq).toBe(index + 1);
      letPass(2_000);
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

  it('begins anew when the settings are saved again', async () => {
    await giveCard(organizationId, 'pm_card_authenticationRequired');
    await save({ threshold: 10_000 });
    await refillAtCrossing();
    expect((await settings()).nextRefill).not.toBeNull();
    await giveCard(organizationId, 'pm_card_mastercard');

    await save({ threshold: 10_000 });
    letPass(6 * minuteMs);
    await runRefillJob();

    expect(await settings()).toMatchObject({ enabled: true, nextRefill: null });
    expect(await paidBy(organizationId)).toHaveLength(1);
  });

  it('begins anew with a card that is added, or chosen', async () => {
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
      letPass(6 * minuteMs);
      await runRefillJob();
      expect(await paidBy(organizationId)).toHaveLength(index + 1);
      expect((await balanceOf(organizationId)).refillDeclines).toBeUndefined();
      letPass(6 * minuteMs);
    }
    await expectBalanced(organizationId);
  });

  it('that switched refills off meanwhile leaves them off, whatever card is given', async () => {
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

  it('is one of an organization that has no card any more', async () => {
    await provider.paymentMethods.detach(await defaultCardOf(organizationId));
    await save({ threshold: 10_000 });

    await refillAtCrossing();

    expect((await settings()).nextRefill).not.toBeNull();
  });
});

describe('a refill of which no answer comes', () => {
  const create = { service: 'stripe', method: 'POST', path: '^/v1/payment_intents$' } as const;

  it('after the charge is credited once, by the scheduled check', async () => {
    await save({ threshold: 10_000 });
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    await refillAtCrossing();
    await sandbox.clearFaults();
    expect((await balanceOf(organizationId)).refillState).toBe('IN_FLIGHT');
    await refillAtCrossing();

    letPass(minuteMs);
    await runReconcileJob();

    expect(await paidBy(organizationId)).toHaveLength(1);
    expect((await balanceOf(organizationId)).refillState).toBe('IDLE');
    setClock();
    await deliverAll();
    await expectBalanced(organizationId);
  });

  it('is over without a charge, and tried again by schedule', async () => {
    await save({ threshold: 10_000 });
    await sandbox.addFault({ ...create, mode: 'down' });
    await refillAtCrossing();
    await sandbox.clearFaults();
    letPass(minuteMs);
    await runReconcileJob();
    expect(await paidBy(organizationId)).toHaveLength(0);
    expect(await mailsTo(owner.email)).toHaveLength(0);

    letPass(5 * minuteMs);
    await runRefillJob();

    expect(await paidBy(organizationId)).toHaveLength(1);
    await expectBalanced(organizationId);
  });
});
