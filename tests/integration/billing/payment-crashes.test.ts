import { describe, expect, it, vi } from 'vitest';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import { findSubscription } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { getBalance, purchaseCredits } from '#schemas/billing.ts';
import {
  addPaymentMethod,
  createSubscription,
  getSubscription,
  pauseSubscription,
  removePaymentMethod,
  resumeSubscription,
} from '#schemas/billing-subscription.ts';
import type { Contract } from '#schemas/contract.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type CallInput, call } from '#tests/support/api.ts';
import {
  balanceOf,
  buy,
  customerOf,
  defaultCardOf,
  deliver,
  deliverAll,
  expectBalanced,
  giveCard,
  paidBy,
  runReconcileJob,
  subscribe,
} from '#tests/support/billing.ts';
import { untilDeath } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { callInProcess, runInProcess } from '#tests/support/doomed-call.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { provider } from '#tests/support/provider.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';

vi.setConfig({ testTimeout: 60_000 });

const proxy = await useProxy();

const steps = [
  ['before storing the attempt', 'PutItem', 'before', 0],
  ['after storing the attempt', 'PutItem', 'after', 0],
  ['between the charge and the credit', 'TransactWriteItems', 'before', 1],
  ['after the credit', 'TransactWriteItems', 'after', 1],
] as const;
const runs = Array.from({ length: depth(1) }, () => steps).flat();

describe('a purchase that crashes', () => {
  it.each(runs)(
    'ends both charged and credited, or neither, after crashing %s',
    async (_, operation, when, payments) => {
      const { token, organizationId } = await newAccount();
      const body = { amount: 10, paymentMethodId: await defaultCardOf(organizationId) };
      const doomed = await callInProcess(purchaseCredits, { token, body }, proxy.endpoint);
      proxy.faults.add({ operation, nth: 1, fault: { kind: 'kill', when, victim: doomed.kill } });
      expect(await doomed.answer).toBeUndefined();
      expect(proxy.faults.hits()).toHaveLength(1);

      setClock(() => Date.now() + minuteMs);
      await runReconcileJob();
      setClock();
      await deliverAll();

      expect(await paidBy(organizationId)).toHaveLength(payments);
      expect((await balanceOf(organizationId)).credits).toBe(100 + payments * 1_000);
      await expectBalanced(organizationId);
    },
  );
});

describe('retrying a purchase with its Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'one purchase' };

  it.each(steps.slice(1))(
    'charges and credits once after a crash %s',
    async (_, operation, when) => {
      const { token, organizationId } = await newAccount();
      const body = { amount: 10, paymentMethodId: await defaultCardOf(organizationId) };
      const request = { token, body, headers };
      const doomed = await callInProcess(purchaseCredits, request, proxy.endpoint);
      proxy.faults.add({ operation, nth: 1, fault: { kind: 'kill', when, victim: doomed.kill } });
      expect(await doomed.answer).toBeUndefined();

      setClock(() => Date.now() + minuteMs);
      const answers = [await call(purchaseCredits, request), await call(purchaseCredits, request)];
      await runReconcileJob();
      setClock();
      await deliverAll();

      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(await paidBy(organizationId)).toHaveLength(1);
      expect((await balanceOf(organizationId)).credits).toBe(1_100);
      await expectBalanced(organizationId);
    },
  );

  it('keeps returning 402 once the payment was resolved as never made', async () => {
    const { token, organizationId } = await newAccount();
    const body = { amount: 10, paymentMethodId: await defaultCardOf(organizationId) };
    const request = { token, body, headers };
    const doomed = await callInProcess(purchaseCredits, request, proxy.endpoint);
    const fault = { kind: 'kill', when: 'after', victim: doomed.kill } as const;
    proxy.faults.add({ operation: 'PutItem', nth: 1, fault });
    expect(await doomed.answer).toBeUndefined();

    setClock(() => Date.now() + minuteMs);
    await runReconcileJob();
    const answers = [await call(purchaseCredits, request), await call(purchaseCredits, request)];
    setClock();

    const message = 'The payment was never made';
    expect(answers).toMatchObject([402, 402].map((status) => ({ status, body: { message } })));
    expect(await paidBy(organizationId)).toEqual([]);
    await expectBalanced(organizationId);
  });

  it('charges and credits once when retried right after a 500 that followed the charge', async () => {
    const { token, organizationId } = await newAccount();
    const body = { amount: 10, paymentMethodId: await defaultCardOf(organizationId) };
    const request = { token, body, headers };
    const fault = { kind: 'refuse', when: 'before', error: 'AccessDeniedException' } as const;
    proxy.faults.add({ operation: 'TransactWriteItems', nth: 1, fault });
    const failed = await callInProcess(purchaseCredits, request, proxy.endpoint);
    expect(await failed.answer).toMatchObject({ statusCode: 500 });
    // By then, the card of the payment may have been removed.
    await provider.paymentMethods.detach(body.paymentMethodId);

    expect((await call(purchaseCredits, request)).status).toBe(201);
    expect(await paidBy(organizationId)).toHaveLength(1);
    expect((await balanceOf(organizationId)).credits).toBe(1_100);
    await expectBalanced(organizationId);
  });
});

/** Subscribing writes the attempt and the outcome. The provider is called in between. */
const subscribing = [
  ['before it is written down', 'before', 1],
  ['before the provider is asked', 'after', 1],
  ['after the provider has made it', 'before', 2],
  ['after all is written down', 'after', 2],
] as const;
const attempts = Array.from({ length: depth(1) }, () => subscribing).flat();

/** Clears the hold, so that processes at the current time may resolve the attempt. */
async function clearHold(organizationId: string): Promise<void> {
  await write(change(keys.subscription(organizationId), { set: { heldUntil: null } }));
}

describe('subscribing that crashes', () => {
  it.each(attempts)(
    'ends with at most one subscription after crashing %s, and exactly one after a retry',
    async (_, when, nth) => {
      const owner = await newAccount();
      const { token, organizationId } = owner;
      const customer = await customerOf(organizationId);
      const made = async () =>
        (await provider.subscriptions.list({ customer, status: 'all' })).data.filter(
          ({ ended_at: endedAt }) => endedAt === null,
        );
      const body = { planId: 'starter', paymentMethodId: await defaultCardOf(organizationId) };
      const doomed = await callInProcess(createSubscription, { token, body }, proxy.endpoint);
      const fault = { kind: 'kill', when, victim: doomed.kill } as const;
      proxy.faults.add({ operation: 'TransactWriteItems', nth, fault });
      expect(await doomed.answer).toBeUndefined();
      expect(proxy.faults.hits()).toHaveLength(1);
      expect((await made()).length).toBe(nth - 1);

      setClock(() => Date.now() + minuteMs);
      const answers = await Promise.all([subscribe(owner), subscribe(owner), runReconcileJob()]);
      await runReconcileJob();
      const retried = await subscribe(owner);
      setClock();
      await deliverAll();

      const statuses = [answers[0].status, answers[1].status, retried.status];
      expect(statuses.filter((status) => status === 201).length).toBe(nth === 2 ? 0 : 1);
      expect(statuses.filter((status) => status === 409).length).toBe(nth === 2 ? 3 : 2);
      const [subscription, ...others] = await made();
      expect(others).toEqual([]);
      const { subscription: shown } = (await call(getSubscription, { token })).body;
      expect(shown).toMatchObject({ id: subscription?.id, status: 'active' });
      expect((await balanceOf(organizationId)).credits).toBe(2_600);
      await expectBalanced(organizationId);
    },
  );
});

describe('retrying subscription changes with an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'one change' };
  /** Crashes at the write, then delivers the provider's events about the completed change. */
  const crashAtWrite = async (nth: number, contract: Contract, request: CallInput) => {
    const death = { at: 'a write', nth, when: 'before' } as const;
    const { hasDied, setFree } = await untilDeath(death, () => call(contract, request));
    expect(hasDied).toBe(true);
    await deliverAll();
    await setFree();
  };

  it('returns the subscription that the first attempt created', async () => {
    const { token, organizationId } = await newAccount();
    const body = { planId: 'starter', paymentMethodId: await defaultCardOf(organizationId) };
    await crashAtWrite(2, createSubscription, { token, body, headers });
    expect(await findSubscription(organizationId)).toMatchObject({ status: 'active' });

    const answer = await call(createSubscription, { token, body, headers });

    const { data } = await provider.subscriptions.list({
      customer: await customerOf(organizationId),
    });
    expect(answer.status).toBe(201);
    expect(data.map(({ id }) => id)).toEqual([answer.body.subscription.id]);
    expect((await call(createSubscription, { token, body })).status).toBe(409);
  });

  it('creates no second subscription when the first one has ended in the meantime', async () => {
    const { token, organizationId } = await newAccount();
    const body = { planId: 'starter', paymentMethodId: await defaultCardOf(organizationId) };
    await crashAtWrite(2, createSubscription, { token, body, headers });
    const customer = await customerOf(organizationId);
    const [made] = (await provider.subscriptions.list({ customer })).data;
    await provider.subscriptions.cancel(String(made?.id));
    await deliverAll();

    const answer = await call(createSubscription, { token, body, headers });

    expect(answer.status).toBe(404);
    const { data } = await provider.subscriptions.list({ customer, status: 'all' });
    expect(data).toHaveLength(1);
  });

  it("pauses and resumes even if the provider's event arrived first", async () => {
    const owner = await newAccount();
    const { token, organizationId } = owner;
    await subscribe(owner);
    const outcomes = [];
    for (const contract of [pauseSubscription, resumeSubscription]) {
      await crashAtWrite(1, contract, { token, headers });
      const told = (await findSubscription(organizationId))?.status;
      const { status } = await call(contract, { token, headers });
      const another = await call(contract, { token });
      outcomes.push({ told, status, another: another.status });
    }

    expect(outcomes).toEqual([
      { told: 'paused', status: 200, another: 409 },
      { told: 'active', status: 200, another: 409 },
    ]);
  });
});

describe('a subscription attempt', () => {
  it('does not block the next one when its rejection was lost', async () => {
    const owner = await newAccount();
    const { token, organizationId } = owner;
    const good = await defaultCardOf(organizationId);
    const paymentMethodId = await giveCard(organizationId, 'pm_card_chargeCustomerFail');
    const body = { planId: 'starter', paymentMethodId };
    const doomed = await callInProcess(createSubscription, { token, body }, proxy.endpoint);
    const fault = { kind: 'kill', when: 'before', victim: doomed.kill } as const;
    proxy.faults.add({ operation: 'DeleteItem', nth: 1, fault });
    expect(await doomed.answer).toBeUndefined();
    expect(await findSubscription(organizationId)).toMatchObject({ status: 'creating' });

    setClock(() => Date.now() + minuteMs);
    const answer = await subscribe(owner, { paymentMethodId: good });

    expect(answer.status).toBe(201);
    const made = await provider.subscriptions.list({ customer: await customerOf(organizationId) });
    expect(made.data.map(({ id }) => id)).toEqual([answer.body.subscription.id]);
  });

  it('is not ended by a late request that resolves the previous attempt', async () => {
    const { token, organizationId } = await newAccount();
    const body = { planId: 'starter', paymentMethodId: await defaultCardOf(organizationId) };
    const abandon = async () => {
      const doomed = await callInProcess(createSubscription, { token, body }, proxy.endpoint);
      const fault = { kind: 'kill', when: 'after', victim: doomed.kill } as const;
      proxy.faults.add({ operation: 'TransactWriteItems', nth: 1, fault });
      expect(await doomed.answer).toBeUndefined();
    };
    await abandon();
    const former = await findSubscription(organizationId);
    await clearHold(organizationId);
    proxy.faults.clear();
    const { answer, other: begun } = await overtake(
      {
        begin: () => call(createSubscription, { token, body }),
        operation: 'Delete',
      },
      async () => {
        await abandon();

        return findSubscription(organizationId);
      },
    );

    expect(answer).toMatchObject({ status: 409 });
    expect(begun).toMatchObject({ status: 'creating', version: former?.version });
    expect(begun?.attemptId).not.toBe(former?.attemptId);
    expect(await findSubscription(organizationId)).toEqual(begun);
  });
});

describe('the payment rate limit', () => {
  it('allows exactly ten concurrent payments a minute without affecting other users', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const body = { amount: 1, paymentMethodId: 'pm_1' };
    const began = Math.floor(Date.now() / 60_000);
    setClock(() => began * 60_000 + 30_000);

    const answers = await Promise.all(
      Array.from({ length: 200 }, () => call(purchaseCredits, { token: one.token, body })),
    );

    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(190);
    expect(refused[0]?.headers).toMatchObject({
      'retry-after': '30',
      'ratelimit-policy': expect.stringMatching(/^"payment";q=10;w=60, /),
      ratelimit: expect.stringMatching(/^"payment";r=0;t=30, /),
    });
    expect((await call(purchaseCredits, { token: other.token, body })).status).toBe(400);
    expect((await call(getBalance, { token: one.token })).status).toBe(200);
  });
});

it('removing a card after a crash also records the earlier removal', async () => {
  const { token, organizationId, userId } = await newAccount();
  const first = await defaultCardOf(organizationId);
  const add = async (paymentMethodId: string): Promise<string> =>
    (await call(addPaymentMethod, { token, body: { paymentMethodId } })).body.paymentMethodId;
  const [second] = [await add('pm_card_mastercard'), await add('pm_card_amex')];
  const remove = (id: string) =>
    call(removePaymentMethod, { token, params: { payment_method_id: id } });
  const { hasDied } = await untilDeath({ at: 'a write', nth: 3, when: 'before' }, () =>
    remove(first),
  );
  expect(hasDied).toBe(true);

  setClock(() => Date.now() + 2 * minuteMs);
  expect((await remove(second)).status).toBe(200);
  expect((await remove(first)).status).toBe(404);
  setClock();

  const removals = (await storedItems(`ORG#${organizationId}`)).filter(
    ({ action }) => action === 'billing.payment_method_removed',
  );
  expect(removals.map(({ targetId, actorId }) => [targetId, actorId]).sort()).toEqual(
    [first, second].map((id) => [id, userId]).sort(),
  );
});

/** Applying a refund or dispute is one transaction, after the claim of its event. */
const reversing = [
  ['before the credits are taken', 'before'],
  ['after the credits are taken', 'after'],
] as const;

describe('a worker that crashes on a refund and a dispute', () => {
  it.each(reversing)('takes the credits once after crashing %s', async (_, when) => {
    await sandbox.reset();
    const owner = await newAccount();
    const { organizationId } = owner;
    expect((await buy(owner, 10)).status).toBe(201);
    const [paid] = await paidBy(organizationId);
    await provider.refunds.create({ payment_intent: String(paid?.id), amount: 300 });
    await sandbox.sendPaymentEvent({
      type: 'charge.dispute.created',
      object: { id: 'du_1', charge: paid?.latest_charge, amount: 400 },
      deliveries: 0,
    });
    const [told] = (await sandbox.paymentEvents()).toReversed();
    await deliver(told?.payload ?? '', told?.signature ?? '');
    const doomed = await runInProcess(
      'workers/payment-events',
      await takeWork('payment-events'),
      proxy.endpoint,
    );
    const fault = { kind: 'kill', when, victim: doomed.kill } as const;
    proxy.faults.add({ operation: 'TransactWriteItems', nth: 1, fault });
    expect(await doomed.answer).toBeUndefined();
    expect(proxy.faults.hits()).toHaveLength(1);
    expect((await balanceOf(organizationId)).credits).toBe(when === 'before' ? 1_100 : 400);

    setClock(() => Date.now() + 2 * minuteMs);
    await sweep();
    await drainWork('payment-events');
    setClock();

    expect((await balanceOf(organizationId)).credits).toBe(400);
    await deliverAll();
    expect((await mailsTo(owner.email)).map(({ subject }) => subject).sort()).toEqual([
      'Payment disputed for Analytical Engines',
      'Payment refunded for Analytical Engines',
    ]);
    await expectBalanced(organizationId);
  });
});
