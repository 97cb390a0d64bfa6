import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPayment, type PaymentRecord } from '#lib/features/billing/payments/payment-record.ts';
import { failPayment } from '#lib/features/billing/payments/record-payment-outcome.ts';
import { dayMs, minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { purchaseCredits } from '#schemas/billing.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import {
  balanceOf,
  buy,
  defaultCardOf,
  deliverAll,
  expectBalanced,
  giveCard,
  ledgerOf,
  paidBy,
  runReconcileJob,
} from '#tests/support/billing.ts';
import { atOnce } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { measureWaits } from '#tests/support/waiting.ts';

const down = 'Payment service temporarily unavailable';

let owner: Account;

beforeAll(liftRateLimits);

beforeEach(async () => {
  owner = await newAccount();
});

/** Runs the scheduled check at a time when all pending payments are old enough. */
async function reconcile() {
  setClock(() => Date.now() + minuteMs);
  const outcome = await runReconcileJob();
  setClock();

  return outcome;
}

describe('purchasing credits', () => {
  it('charges the card and adds a hundred credits per dollar once, whatever events follow', async () => {
    const answer = await buy(owner, 25);

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      transaction: { amount: 25, credits: 2_500, status: 'succeeded' },
      message: 'Credits purchased successfully',
    });
    await deliverAll();
    await deliverAll();
    await reconcile();
    expect((await balanceOf(owner.organizationId)).credits).toBe(2_600);
    expect(await paidBy(owner.organizationId)).toMatchObject([{ amount: 2_500, currency: 'usd' }]);
    const ledger = await ledgerOf(owner.organizationId);
    expect(ledger.find(({ id }) => id === answer.body.transaction.id)).toMatchObject({
      type: 'credit_purchase',
      credits: 2_500,
      amountCents: 2_500,
      description: 'Purchase of 2500 credits',
      paymentMethod: { brand: 'visa', last4: '4242' },
    });
    await expectBalanced(owner.organizationId);
    const record = await get<{ readonly settledAt: string; readonly expiresAtSeconds: number }>(
      keys.payment(owner.organizationId, answer.body.transaction.id),
    );
    const keptMs =
      secondMs * Number(record?.expiresAtSeconds) - Date.parse(record?.settledAt ?? '');
    expect(keptMs / dayMs).toBeCloseTo(30);
  });

  it.each(['credit_purchase', 'auto_refill'] as const)(
    'keeps the outcome of a %s if an older read reports another one',
    async (kind) => {
      const { transaction } = (await buy(owner, 25)).body;
      const stored = () => findPayment(owner.organizationId, transaction.id);
      const payment = (await stored()) as PaymentRecord;
      await failPayment(
        { ...payment, kind, status: 'PENDING' },
        { reason: 'Late', declined: true },
      );

      expect(await stored()).toEqual(payment);
    },
  );

  it('charges once for many concurrent requests with one Idempotency-Key', async () => {
    const body = { amount: 5, paymentMethodId: await defaultCardOf(owner.organizationId) };
    const same = () =>
      call(purchaseCredits, { token: owner.token, body, headers: { 'idempotency-key': 'one' } });

    const answers = await Promise.all(Array.from({ length: atOnce(20) }, same));

    const bought = answers.filter(({ status }) => status === 201);
    expect(bought.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(
      answers.length - bought.length,
    );
    expect((await same()).body).toEqual(bought[0]?.body);
    expect(await paidBy(owner.organizationId)).toHaveLength(1);
    await expectBalanced(owner.organizationId);
  });

  it.each([
    ['pm_card_chargeCustomerFail', 'CARD_DECLINED', 'Your card was declined.'],
    [
      'pm_card_authenticationRequired',
      'PAYMENT_ACTION_REQUIRED',
      expect.stringContaining('authentication'),
    ],
  ])('returns 402 and changes nothing for %s', async (testCard, code, message) => {
    const card = await giveCard(owner.organizationId, testCard);

    const answer = await buy(owner, 25, card);

    expect(answer.status).toBe(402);
    expect(answer.body).toMatchObject({ error: 'Payment Required', code, message });
    await deliverAll();
    await reconcile();
    expect((await balanceOf(owner.organizationId)).credits).toBe(100);
    await expectBalanced(owner.organizationId);
  });

  it.each([
    ['that does not exist', async () => 'pm_1Unknown'],
    ['without a customer', async () => 'pm_card_visa'],
    ['of another customer', async () => defaultCardOf((await newAccount()).organizationId)],
  ])('returns 400 and requests no payment for a card %s', async (_, cardId) => {
    const answer = await buy(owner, 25, await cardId());

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(/^paymentMethodId /)]);
    expect(await paidBy(owner.organizationId)).toEqual([]);
    await expectBalanced(owner.organizationId);
  });

  it.each(['0', '-5', '4.99', '10000.01', '5.001', '1e309', '"25"', 'null', 'true', '[25]'])(
    'returns 400 for an amount of %s dollars',
    async (amount) => {
      const body = `{"paymentMethodId":"pm_1","amount":${amount}}`;

      const answer = await call(purchaseCredits, { token: owner.token, body });

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(/^amount /)]);
    },
  );

  it.each([
    [5, 500],
    [10_000, 1_000_000],
    [10.1 + 0.2, 1_030],
  ])('converts %f dollars to %i credits', async (amount, credits) => {
    expect((await buy(owner, amount)).body.transaction.credits).toBe(credits);
  });
});

/** The provider's response while another request locks the customer. */
const lockTimeout = {
  mode: 'error',
  status: 409,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message: 'This object cannot be accessed right now because another request is using it.',
    },
  },
} as const;

describe('purchasing credits while the provider does not respond', () => {
  const create = { service: 'stripe', method: 'POST', path: '^/v1/payment_intents$' } as const;

  it.each([
    ['is down', { mode: 'down' }],
    ['refuses connections', { mode: 'refuse' }],
    ['hangs', { mode: 'hang' }],
    ['fails', { mode: 'error', status: 500 }],
    ['limits our request rate', { mode: 'error', status: 429 }],
    ['cannot lock the customer', lockTimeout],
  ] as const)('returns 502 in time and charges nothing when the provider %s', async (_, fault) => {
    await sandbox.addFault({ ...create, ...fault });

    const { result: answer, waitedMs } = await measureWaits(() => buy(owner, 25));

    expect(waitedMs).toBeLessThan(10_000);
    expect(answer.status).toBe(502);
    expect(answer.body.message).toBe(down);
    expect(await reconcile()).toEqual({ settled: 0, open: 1 });
    await sandbox.clearFaults();
    setClock(() => Date.now() + 3 * minuteMs);
    expect(await runReconcileJob()).toEqual({ settled: 1, open: 0 });
    expect(await runReconcileJob()).toEqual({ settled: 0, open: 0 });
    expect(await paidBy(owner.organizationId)).toEqual([]);
    await expectBalanced(owner.organizationId);
  });

  it('returns 502 when the provider charges without responding, and is credited later', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });

    expect((await buy(owner, 25)).status).toBe(502);

    expect((await balanceOf(owner.organizationId)).credits).toBe(100);
    await sandbox.clearFaults();
    expect(await runReconcileJob()).toEqual({ settled: 0, open: 0 });
    expect(await reconcile()).toEqual({ settled: 1, open: 0 });
    await deliverAll();
    expect((await balanceOf(owner.organizationId)).credits).toBe(2_600);
    await expectBalanced(owner.organizationId);
  });

  it.each([
    ['returned no response after the charge', { mode: 'hang-after' }],
    ['returned a lock timeout', lockTimeout],
  ] as const)('retries with the same key and succeeds after the provider %s', async (_, fault) => {
    await sandbox.addFault({ ...create, ...fault, times: 1 });

    expect((await buy(owner, 25)).status).toBe(201);

    expect(await paidBy(owner.organizationId)).toHaveLength(1);
    await expectBalanced(owner.organizationId);
  });

  it('is credited by the event when it arrives before the check', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    expect((await buy(owner, 25)).status).toBe(502);
    await sandbox.clearFaults();

    await deliverAll();

    expect((await balanceOf(owner.organizationId)).credits).toBe(2_600);
    await reconcile();
    await expectBalanced(owner.organizationId);
  });
});
