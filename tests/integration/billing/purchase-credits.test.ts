import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { purchaseCredits } from '#schemas/billing.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
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
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';

const down = 'Payment service temporarily unavailable';

let owner: Account;

beforeAll(() => {
  liftRateLimits();
});

beforeEach(async () => {
  owner = await newAccount();
});

afterEach(async () => {
  setClock();
  await sandbox.clearFaults();
});

/** The scheduled check, when everything that is pending is old enough. */
async function reconcile() {
  setClock(() => Date.now() + minuteMs);
  const outcome = await runReconcileJob();
  setClock();

  return outcome;
}

describe('a purchase', () => {
  it('charges the card and credits a hundred for a dollar, once, whatever the provider tells later', async () => {
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
  });

  it('is one charge for a hundred calls with one Idempotency-Key', async () => {
    const body = { amount: 5, paymentMethodId: await defaultCardOf(owner.organizationId) };
    const same = () =>
      call(purchaseCredits, { token: owner.token, body, headers: { 'idempotency-key': 'one' } });

    const answers = await Promise.all(Array.from({ length: 100 }, same));

    const bought = answers.filter(({ status }) => status === 201);
    expect(bought.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(100 - bought.length);
    expect((await same()).body).toEqual(bought[0]?.body);
    expect(await paidBy(owner.organizationId)).toHaveLength(1);
    await expectBalanced(owner.organizationId);
  });

  it.each([
    ['pm_card_chargeCustomerFail', 'Your card was declined.'],
    ['pm_card_authenticationRequired', expect.stringContaining('authentication')],
  ])('with %s is a 402 that changes nothing', async (testCard, message) => {
    const card = await giveCard(owner.organizationId, testCard);

    const answer = await buy(owner, 25, card);

    expect(answer.status).toBe(402);
    expect(answer.body).toMatchObject({ error: 'Payment Required', message });
    await deliverAll();
    await reconcile();
    expect((await balanceOf(owner.organizationId)).credits).toBe(100);
    await expectBalanced(owner.organizationId);
  });

  it.each([
    ['that nobody knows', async () => 'pm_1Unknown'],
    ['of nobody', async () => 'pm_card_visa'],
    ['of another customer', async () => defaultCardOf((await newAccount()).organizationId)],
  ])('with a card %s is a 400, and no payment is asked for', async (_, cardId) => {
    const answer = await buy(owner, 25, await cardId());

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(/^paymentMethodId /)]);
    expect(await paidBy(owner.organizationId)).toEqual([]);
    await expectBalanced(owner.organizationId);
  });

  it.each(['0', '-5', '4.99', '10000.01', '5.001', '1e309', '"25"', 'null', 'true', '[25]'])(
    'of %s dollars is a 400',
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
  ])('of %f dollars gives %i credits', async (amount, credits) => {
    expect((await buy(owner, amount)).body.transaction.credits).toBe(credits);
  });

  it.each(['MEMBER', 'VIEWER'] as const)('is not for a %s', async (role) => {
    const member = await newMember(owner, role);
    const answer = await call(purchaseCredits, {
      token: member.token,
      headers: { 'x-organization-id': owner.organizationId },
      body: { amount: 25, paymentMethodId: await defaultCardOf(owner.organizationId) },
    });

    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('Only owners and admins can access billing');
  });
});

/** What the provider answers while another request is at the same customer. */
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

describe('a purchase while the provider does not answer', () => {
  const create = { service: 'stripe', method: 'POST', path: '^/v1/payment_intents$' } as const;

  it.each([
    ['is down', { mode: 'down' }],
    ['refuses connections', { mode: 'refuse' }],
    ['hangs', { mode: 'hang' }],
    ['fails', { mode: 'error', status: 500 }],
    ['has no time', { mode: 'error', status: 429 }],
    ['does not get at the customer', lockTimeout],
  ] as const)('because it %s is a 502 in time, and ends uncharged', async (_, fault) => {
    await sandbox.addFault({ ...create, ...fault });
    const began = performance.now();

    const answer = await buy(owner, 25);

    expect(performance.now() - began).toBeLessThan(10_000);
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

  it('after it has charged is a 502, and ends charged and credited', async () => {
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
    ['after it has charged', { mode: 'hang-after' }],
    ['for a lock', lockTimeout],
  ] as const)('once, %s, is repeated under the same key, and succeeds', async (_, fault) => {
    await sandbox.addFault({ ...create, ...fault, times: 1 });

    expect((await buy(owner, 25)).status).toBe(201);

    expect(await paidBy(owner.organizationId)).toHaveLength(1);
    await expectBalanced(owner.organizationId);
  });

  it('is credited by the event, where that comes before the check', async () => {
    await sandbox.addFault({ ...create, mode: 'hang-after' });
    expect((await buy(owner, 25)).status).toBe(502);
    await sandbox.clearFaults();

    await deliverAll();

    expect((await balanceOf(owner.organizationId)).credits).toBe(2_600);
    await reconcile();
    await expectBalanced(owner.organizationId);
  });
});
