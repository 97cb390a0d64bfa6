import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import {
  CreditAlreadyReservedError,
  CreditsExhaustedError,
  NoReservationError,
  planCreditRelease,
  planCreditReservation,
  planCreditUse,
} from '#lib/features/billing/ledger/credit-reservations.ts';
import { AlreadyInLedgerError, planCredit } from '#lib/features/billing/ledger/ledger.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { purchaseCredits, updateAutoRefillSettings } from '#schemas/billing.ts';
import { changePlan } from '#schemas/billing-subscription.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import {
  balanceOf,
  buy,
  customerOf,
  defaultCardOf,
  deliver,
  expectBalanced,
  giveCard,
  ledgerOf,
  paidBy,
  runReconcileJob,
  runRefillJob,
  subscribe,
  useCredit,
} from '#tests/support/billing.ts';
import { depth } from '#tests/support/depth.ts';
import { callInProcess, type DoomedCall, runInProcess } from '#tests/support/doomed-call.ts';
import { sandbox } from '#tests/support/mails.ts';
import { provider } from '#tests/support/provider.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';

const create = { service: 'stripe', method: 'POST', path: '^/v1/payment_intents$' } as const;
const update = { service: 'stripe', method: 'POST', path: '^/v1/subscriptions/sub_' } as const;

/** Limits concurrent DynamoDB calls, because more would queue here and could time out. */
const maxConcurrentCalls = 50;

const proxy = await useProxy();

beforeAll(async () => {
  liftRateLimits();
  process.env.PAYMENT_TIMEOUT_MS = '600';
});

/** Returns true if the write was applied, and false if it was rejected for one of these reasons. */
async function isApplied(attempt: Promise<unknown>, ...reasons: readonly unknown[]) {
  try {
    await attempt;

    return true;
  } catch (failure) {
    if (reasons.some((reason) => failure instanceof (reason as new () => Error))) {
      return false;
    }
    throw failure;
  }
}

describe('reserving credits for replies', () => {
  it('never reserves more credits than exist, even for twice as many concurrent requests', async () => {
    const { organizationId } = await newAccount();
    const gift = { id: newId(), type: 'adjustment', description: 'A gift' } as const;
    await write(...planCredit(organizationId, { ...gift, credits: depth(20) }));
    const there = 100 + depth(20);
    const replies = Array.from({ length: 2 * there }, () => newId());

    const held = await atMostAtOnce(maxConcurrentCalls, replies, (id) =>
      isApplied(write(...planCreditReservation(organizationId, id)), CreditsExhaustedError),
    );

    expect(held.filter((isHeld) => isHeld)).toHaveLength(there);
    const taken = replies.filter((_, index) => held[index]);
    await atMostAtOnce(maxConcurrentCalls, taken, (id) =>
      write(...planCreditUse(organizationId, id)),
    );
    expect(await balanceOf(organizationId)).toMatchObject({ credits: 0, available: 0 });
    await expectBalanced(organizationId);
  });

  it('reserves credits once per reply, and uses or returns them once', async () => {
    const { organizationId } = await newAccount();
    const replyId = newId();
    const all = (attempt: () => Promise<unknown>, reason: unknown) =>
      Promise.all(
        Array.from({ length: 20 }, () => isApplied(attempt(), reason, AlreadyInLedgerError)),
      );
    const applied = (outcomes: readonly boolean[]) => outcomes.filter((isDone) => isDone).length;

    const reserved = await all(
      () => write(...planCreditReservation(organizationId, replyId)),
      CreditAlreadyReservedError,
    );
    const ended = await Promise.all([
      all(() => write(...planCreditUse(organizationId, replyId)), NoReservationError),
      all(() => write(...planCreditRelease(organizationId, replyId)), NoReservationError),
    ]);

    expect(applied(reserved)).toBe(1);
    expect(applied(ended.flat())).toBe(1);
    const { credits, available } = await balanceOf(organizationId);
    expect(available).toBe(credits);
    await expectBalanced(organizationId);
  });

  it('reserves nothing for an organization without a balance', async () => {
    await expect(write(...planCreditReservation(newId(), newId()))).rejects.toThrow(
      CreditsExhaustedError,
    );
  });
});

type Step =
  | { readonly kind: 'replies'; readonly count: number; readonly sent: number }
  | { readonly kind: 'purchase'; readonly amount: number; readonly fault: string }
  | { readonly kind: 'refill'; readonly fault: string }
  | { readonly kind: 'events'; readonly times: number; readonly seed: number }
  | { readonly kind: 'jobs' }
  | { readonly kind: 'card'; readonly works: boolean }
  | { readonly kind: 'refund'; readonly of: number; readonly percent: number }
  | { readonly kind: 'dispute'; readonly of: number; readonly status: string }
  | { readonly kind: 'plan'; readonly planId: string; readonly fault: string }
  | { readonly kind: 'time'; readonly days: number }
  | ({ readonly kind: 'death' } & Death);

/** The process to kill, and the write at which to kill it. */
type Death = {
  readonly of: 'purchase' | 'plan' | 'refill-charge' | 'payment-events';
  readonly operation: 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'TransactWriteItems';
  readonly nth: number;
  readonly when: 'before' | 'after';
};

const planId = fc.constantFrom('starter', 'growth', 'scale');
const fault = fc.constantFrom('none', 'none', 'down', 'hang-after', 'once');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('replies' as const),
    count: fc.integer({ min: 1, max: 60 }),
    sent: fc.integer({ min: 0, max: 60 }),
  }),
  fc.record({
    kind: fc.constant('purchase' as const),
    amount: fc.integer({ min: 5, max: 20 }),
    fault,
  }),
  fc.record({ kind: fc.constant('refill' as const), fault }),
  fc.record({
    kind: fc.constant('events' as const),
    times: fc.integer({ min: 1, max: 3 }),
    seed: fc.integer(),
  }),
  fc.record({ kind: fc.constant('jobs' as const) }),
  fc.record({ kind: fc.constant('card' as const), works: fc.boolean() }),
  fc.record({
    kind: fc.constant('refund' as const),
    of: fc.nat(5),
    percent: fc.integer({ min: 1, max: 100 }),
  }),
  fc.record({
    kind: fc.constant('dispute' as const),
    of: fc.nat(5),
    status: fc.constantFrom('needs_response', 'under_review', 'won', 'lost'),
  }),
  fc.record({ kind: fc.constant('plan' as const), planId, fault }),
  fc.record({ kind: fc.constant('time' as const), days: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    kind: fc.constant('death' as const),
    of: fc.constantFrom('purchase', 'plan', 'refill-charge', 'payment-events'),
    operation: fc.constantFrom('PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'),
    nth: fc.integer({ min: 1, max: 2 }),
    when: fc.constantFrom('before', 'after'),
  }),
);

/** Runs an action while the provider misbehaves. */
async function withFault(
  mode: string,
  act: () => Promise<unknown>,
  calls: typeof create | typeof update = create,
): Promise<void> {
  if (mode === 'once') {
    await sandbox.addFault({ ...calls, mode: 'hang-after', times: 1 });
  } else if (mode === 'down' || mode === 'hang-after') {
    await sandbox.addFault({ ...calls, mode });
  }
  await act();
  await sandbox.clearFaults();
}

/** Delivers events in a shuffled order, some of them twice. */
async function deliverSome(times: number, seed: number): Promise<void> {
  const events = await sandbox.paymentEvents();
  const shuffled = [...Array.from({ length: times }, () => events).flat()].sort(
    (one, other) => hash(one.id, seed) - hash(other.id, seed),
  );
  await Promise.all(shuffled.map(({ payload, signature }) => deliver(payload, signature)));
  await drainWork('payment-events');
}

function hash(text: string, seed: number): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, seed);
}

async function sendReplies(organizationId: string, count: number, sent: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const replyId = newId();
      const isHeld = await isApplied(
        write(...planCreditReservation(organizationId, replyId)),
        CreditsExhaustedError,
      );
      const end = index < sent ? planCreditUse : planCreditRelease;
      if (isHeld) {
        await write(...end(organizationId, replyId));
        await refillWhenLow(organizationId);
      }
    }),
  );
}

/** Kills a process at a write. If the process never reaches that write, it survives. */
async function killAtWrite(owner: Account, card: string, { of, operation, nth, when }: Death) {
  const doomed = await startProcess(owner, card, of);
  proxy.faults.add({ operation, nth, fault: { kind: 'kill', when, victim: doomed.kill } });
  await doomed.answer;
  proxy.faults.clear();
}

async function startProcess(
  { token }: Account,
  paymentMethodId: string,
  of: Death['of'],
): Promise<DoomedCall<unknown>> {
  if (of === 'purchase') {
    const body = { amount: 5, paymentMethodId };

    return callInProcess(purchaseCredits, { token, body }, proxy.endpoint);
  }
  if (of === 'plan') {
    return callInProcess(changePlan, { token, body: { planId: 'growth' } }, proxy.endpoint);
  }
  if (of === 'payment-events') {
    const [event] = (await sandbox.paymentEvents()).toReversed();
    await deliver(event?.payload ?? '', event?.signature ?? '');
  }

  return runInProcess(`workers/${of}`, await takeWork(of), proxy.endpoint);
}

/** Returns one of the payments at the provider, including those for invoices. */
async function anyCharge(organizationId: string, index: number) {
  const customer = await customerOf(organizationId);
  const { data } = await provider.charges.list({ customer, limit: 100 });

  return data[index % data.length];
}

async function refundOne(
  organizationId: string,
  { of, percent }: { readonly of: number; readonly percent: number },
): Promise<void> {
  const charge = await anyCharge(organizationId, of);
  const left = charge ? charge.amount - charge.amount_refunded : 0;
  if (charge && left > 0 && !charge.disputed) {
    const amount = Math.ceil((left * percent) / 100);
    await provider.refunds.create({ charge: charge.id, amount });
  }
}

/**
 * Opens a dispute of a payment, or changes its state. A dispute that was won or lost is not
 * changed.
 */
async function disputeOne(
  organizationId: string,
  { of, status }: { readonly of: number; readonly status: string },
): Promise<void> {
  const charge = await anyCharge(organizationId, of);
  if (charge) {
    const event = status === 'won' || status === 'lost' ? 'closed' : 'created';
    await sandbox.sendPaymentEvent({
      type: `charge.dispute.${event}`,
      object: { id: `du_${charge.id}`, charge: charge.id, status },
      deliveries: 0,
    });
  }
}

async function changePlanTo({ token }: Account, to: string): Promise<void> {
  const { status } = await call(changePlan, { token, body: { planId: to } });
  expect([200, 402, 409, 502]).toContain(status);
}

/** Expects one ledger entry for each invoice that was paid, and none for others. */
async function expectInvoicesCredited(organizationId: string): Promise<void> {
  const customer = await customerOf(organizationId);
  const { data } = await provider.invoices.list({ customer, limit: 100 });
  const paid = data.filter(({ amount_paid: amount }) => amount > 0).map(({ id }) => id);
  const entries = (await ledgerOf(organizationId)).filter(
    ({ type }) => type === 'subscription_credit',
  );
  expect(entries.map(({ reference }) => reference).sort()).toEqual(paid.sort());
}

async function take(owner: Account, cards: readonly string[], action: Step): Promise<void> {
  const { organizationId } = owner;
  switch (action.kind) {
    case 'replies':
      return sendReplies(organizationId, action.count, action.sent);
    case 'purchase':
      return withFault(action.fault, () => buy(owner, action.amount, cards[0]));
    case 'refill':
      return withFault(action.fault, () => drainWork('refill-charge'));
    case 'events':
      return deliverSome(action.times, action.seed);
    case 'card':
      await giveCard(organizationId, action.works ? 'pm_card_visa' : 'pm_card_chargeCustomerFail');

      return;
    case 'refund':
      return refundOne(organizationId, action);
    case 'dispute':
      return disputeOne(organizationId, action);
    case 'plan':
      return withFault(action.fault, () => changePlanTo(owner, action.planId), update);
    case 'time':
      return sandbox.advancePaymentClock(action.days);
    case 'death':
      return killAtWrite(owner, String(cards[0]), action);
    case 'jobs':
      await Promise.all([runReconcileJob(), runReconcileJob(), runRefillJob(), runRefillJob()]);
  }
}

describe('random histories of debits, payments, refunds, disputes, plan changes, events, outages and crashes', () => {
  it('end with a balance equal to the sum of the ledger, each payment credited once, and the reversed share taken back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        await sandbox.reset();
        const owner = await newAccount();
        const { organizationId } = owner;
        const cards = [await defaultCardOf(organizationId)];
        expect((await subscribe(owner)).status).toBe(201);
        const settings = { enabled: true, threshold: 90, amount: 5 };
        await updateSettings(owner, settings);
        let passedMs = 0;
        for (const action of steps) {
          await take(owner, cards, action);
          expect((await balanceOf(organizationId)).credits).toBeGreaterThanOrEqual(0);
          passedMs += 2 * minuteMs;
        }
        await drainWork('refill-charge');
        setClock(() => Date.now() + passedMs);
        await recoverCrashedWork();
        await runReconcileJob();
        setClock(() => Date.now() + passedMs + 2 * minuteMs);
        await recoverCrashedWork();
        await runReconcileJob();
        setClock();
        await deliverSome(2, 7);
        await drainWork('refill-charge');
        await deliverSome(1, 8);
        await expectBalanced(organizationId);
        await expectInvoicesCredited(organizationId);
        expect((await balanceOf(organizationId)).refillState).toBe('IDLE');
      }),
      { numRuns: depth(4, 100) },
    );
  });

  it('charge one refill for 200 debits at the threshold with a concurrent purchase and a crash', async () => {
    const owner = await newAccount();
    const { organizationId } = owner;
    expect((await buy(owner, 5)).status).toBe(201);
    await updateSettings(owner, { enabled: true, threshold: 495, amount: 5 });
    await Promise.all([
      ...Array.from({ length: 200 }, () => useCredit(organizationId)),
      deliverSome(3, 3),
    ]);
    const doomed = await runInProcess(
      'workers/refill-charge',
      await takeWork('refill-charge'),
      proxy.endpoint,
    );
    const fault = { kind: 'kill', when: 'before', victim: doomed.kill } as const;
    proxy.faults.add({ operation: 'TransactWriteItems', nth: 1, fault });
    expect(await doomed.answer).toBeUndefined();
    setClock(() => Date.now() + 2 * minuteMs);
    await sweep();
    await Promise.all([drainWork('refill-charge'), drainWork('refill-charge')]);
    setClock();
    await deliverSome(3, 4);

    const refills = (await paidBy(organizationId)).filter(
      ({ description }) => description === 'Refill of 500 credits',
    );
    expect(refills).toHaveLength(1);
    const ledger = await ledgerOf(organizationId);
    expect(ledger.filter(({ type }) => type === 'auto_refill')).toHaveLength(1);
    await expectBalanced(organizationId);
  });
});

/** Redelivers the messages of crashed workers. */
async function recoverCrashedWork(): Promise<void> {
  await sweep();
  await drainWork('payment-events');
  await drainWork('refill-charge');
}

async function updateSettings({ token }: Account, body: object): Promise<void> {
  expect((await call(updateAutoRefillSettings, { token, body })).status).toBe(200);
}
