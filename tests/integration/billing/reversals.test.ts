import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  CreditsExhaustedError,
  planCreditRelease,
  planCreditReservation,
} from '#lib/features/billing/ledger/credit-reservations.ts';
import { planEntry } from '#lib/features/billing/ledger/ledger.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Attributes, change, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { getBalance, listLedger, updateAutoRefillSettings } from '#schemas/billing.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { recount, repair } from '#scripts/operations/recount/recount.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import {
  balanceOf,
  buy,
  customerOf,
  defaultCardOf,
  deliver,
  deliverAll,
  expectBalanced,
  giveCard,
  ledgerOf,
  paidBy,
  runReconcileJob,
  runRefillJob,
  subscribe,
  useCredit,
} from '#tests/support/billing.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { provider } from '#tests/support/provider.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { drainWork } from '#tests/support/work.ts';

let owner: Account;
let organizationId: string;

beforeAll(liftRateLimits);

beforeEach(async () => {
  await sandbox.reset();
  owner = await newAccount();
  organizationId = owner.organizationId;
});

/** Buys credits and returns the payment's ids at the provider. */
async function pay(amount: number, card?: string) {
  expect((await buy(owner, amount, card)).status).toBe(201);
  const intent = (await paidBy(organizationId)).at(-1);

  return { payment_intent: String(intent?.id), charge: String(intent?.latest_charge) };
}

/** Sends an event about a dispute. Afterwards, the provider's API shows the dispute. */
async function tellDispute(event: string, object: Readonly<Record<string, unknown>>) {
  const type = `charge.dispute.${event}`;
  const { payload, signature } = await sandbox.sendPaymentEvent({ type, object });
  expect((await deliver(payload, signature)).status).toBe(200);
  await drainWork('payment-events');
}

async function shown() {
  const { balance } = (await call(getBalance, { token: owner.token })).body;
  const { credits, debt } = balance;

  return { credits, debt };
}

/** Uses credits until this many are left. */
async function useCreditsDownTo(left: number): Promise<void> {
  const used = (await balanceOf(organizationId)).credits - left;
  const entry = { id: newId(), type: 'usage', credits: -used, description: 'Replies' } as const;
  await write(...planEntry(organizationId, entry, { add: { available: -used } }));
}

async function adjustments() {
  const ledger = await ledgerOf(organizationId);

  return ledger
    .filter(({ type }) => type === 'adjustment')
    .map(({ credits, amountCents = 0, description }) => [credits, amountCents, description]);
}

async function mailSubjects() {
  return (await mailsTo(owner.email)).map(({ subject }) => subject).sort();
}

describe('a refund', () => {
  it('takes no credits that are used directly before its write', async () => {
    const { payment_intent } = await pay(10);
    await deliverAll();
    await provider.refunds.create({ payment_intent });
    const key = keys.balance(organizationId);
    const begin = () => deliverAll((events) => events.slice(-1));
    await overtake({ begin, key }, () => useCreditsDownTo(300));

    expect(await shown()).toEqual({ credits: 0, debt: 700 });
    await expectBalanced(organizationId);
  });

  it('takes back its credits once, in parts, whichever events report it and however often', async () => {
    const { payment_intent } = await pay(10);
    await provider.refunds.create({ payment_intent, amount: 300 });
    await deliverAll();

    expect(await shown()).toEqual({ credits: 800, debt: 0 });
    await provider.refunds.create({ payment_intent, amount: 200 });
    await deliverAll((events) => [...events, ...events].toReversed());
    await deliverAll();

    expect(await shown()).toEqual({ credits: 600, debt: 0 });
    await provider.refunds.create({ payment_intent });
    await deliverAll();

    expect(await shown()).toEqual({ credits: 100, debt: 0 });
    expect(await adjustments()).toEqual([
      [-300, -300, 'Refund of 3.00 USD'],
      [-200, -200, 'Refund of 2.00 USD'],
      [-500, -500, 'Refund of 5.00 USD'],
    ]);
    const subject = 'Payment refunded for Analytical Engines';
    expect(await mailSubjects()).toEqual([subject, subject, subject]);
    await expectBalanced(organizationId);
  });

  it('is applied once when 50 deliveries of both events are processed concurrently', async () => {
    const { payment_intent } = await pay(10);
    await provider.refunds.create({ payment_intent, amount: 700 });
    const refundEvents = (await sandbox.paymentEvents()).slice(-2);

    await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const { payload, signature } = refundEvents[index % 2] ?? { payload: '', signature: '' };

        return deliver(payload, signature);
      }),
    );
    await Promise.all([drainWork('payment-events'), drainWork('payment-events')]);

    expect(await shown()).toEqual({ credits: 400, debt: 0 });
    await expectBalanced(organizationId);
  });

  it("is determined from the charge's total if only the charge event reports it", async () => {
    const { payment_intent, charge } = await pay(10);
    for (const refunded of [300, 500, 500, 300]) {
      const { payload, signature } = await sandbox.sendPaymentEvent({
        type: 'charge.refunded',
        object: { id: charge, payment_intent, amount_refunded: refunded },
      });
      await deliver(payload, signature);
      await drainWork('payment-events');
    }

    expect(await shown()).toEqual({ credits: 600, debt: 0 });
    await expectBalanced(organizationId);
  });

  it('returns the credits when the refund fails', async () => {
    const { payment_intent } = await pay(10);
    const { id } = await provider.refunds.create({ payment_intent, amount: 400 });
    await deliverAll();
    const { payload, signature } = await sandbox.sendPaymentEvent({
      type: 'refund.failed',
      object: { id, status: 'failed' },
    });
    await deliver(payload, signature);
    await drainWork('payment-events');

    expect(await shown()).toEqual({ credits: 1_100, debt: 0 });
    await expectBalanced(organizationId);
  });

  it('credits the payment first if no event has reported it yet', async () => {
    await sandbox.addFault({
      service: 'stripe',
      method: 'POST',
      path: '^/v1/payment_intents$',
      mode: 'hang-after',
    });
    expect((await buy(owner, 10)).status).toBe(502);
    await sandbox.clearFaults();
    const [paid] = await paidBy(organizationId);
    await provider.refunds.create({ payment_intent: String(paid?.id), amount: 600 });

    await deliverAll((events) => events.toReversed());

    expect(await shown()).toEqual({ credits: 500, debt: 0 });
    setClock(() => Date.now() + minuteMs);
    await runReconcileJob();
    await expectBalanced(organizationId);
  });

  it('becomes debt if the credits are used, and the next credits repay it', async () => {
    const { payment_intent } = await pay(5);
    await useCreditsDownTo(200);
    await provider.refunds.create({ payment_intent });
    await deliverAll();

    expect(await shown()).toEqual({ credits: 0, debt: 300 });
    await expect(write(...planCreditReservation(organizationId, newId()))).rejects.toThrow(
      CreditsExhaustedError,
    );
    expect((await buy(owner, 5)).body.transaction.credits).toBe(500);

    expect(await shown()).toEqual({ credits: 200, debt: 0 });
    await write(...planCreditReservation(organizationId, newId()));
    await expectBalanced(organizationId);
  });

  it('keeps the rest of a debt that the next credits do not cover, and replies stay off', async () => {
    const { payment_intent } = await pay(20);
    await useCreditsDownTo(0);
    await provider.refunds.create({ payment_intent });
    await deliverAll();
    await buy(owner, 5);

    expect(await shown()).toEqual({ credits: 0, debt: 1_500 });
    await expect(write(...planCreditReservation(organizationId, newId()))).rejects.toThrow(
      CreditsExhaustedError,
    );
    const { entries, balance } = (await call(listLedger, { token: owner.token })).body;
    expect(
      entries.reduce((sum: number, { credits }: { credits: number }) => sum + credits, 0),
    ).toBe(balance);
    await expectBalanced(organizationId);
  });

  it('does not touch credits that are reserved for pending replies, and takes them after their release', async () => {
    const { payment_intent } = await pay(5);
    await useCreditsDownTo(2);
    const replies = [newId(), newId()];
    await Promise.all(replies.map((id) => write(...planCreditReservation(organizationId, id))));
    await provider.refunds.create({ payment_intent });
    await deliverAll();
    expect(await shown()).toEqual({ credits: 2, debt: 500 });

    for (const id of replies) {
      await write(...planCreditRelease(organizationId, id));
    }
    await expect(write(...planCreditReservation(organizationId, newId()))).rejects.toThrow();
    await refillWhenLow(organizationId);
    expect(await shown()).toEqual({ credits: 0, debt: 498 });
    await expectBalanced(organizationId);
  });

  it('stops replies until its debt is repaid, even if more credits were released', async () => {
    const debt = { set: { debt: 1 }, add: { available: -1 } };
    await write(change(keys.balance(organizationId), debt));
    const reserve = () => write(...planCreditReservation(organizationId, newId()));
    await expect(reserve()).rejects.toThrow(CreditsExhaustedError);
    await refillWhenLow(organizationId);

    expect((await shown()).debt).toBe(0);
    await reserve();
  });

  it('changes nothing for a payment that was made manually at the provider', async () => {
    const customer = await customerOf(organizationId);
    const { id: payment_intent } = await provider.paymentIntents.create({
      amount: 1_000,
      currency: 'usd',
      customer,
      payment_method: await defaultCardOf(organizationId),
      confirm: true,
    });
    await provider.refunds.create({ payment_intent });
    await deliverAll();

    expect(await shown()).toEqual({ credits: 100, debt: 0 });
    expect(await mailSubjects()).toEqual([]);
  });

  it('takes back the share of the credits of a subscription invoice, rounded down', async () => {
    expect((await subscribe(owner)).status).toBe(201);
    const [payment] = (await provider.invoicePayments.list()).data;
    const payment_intent = String(payment?.payment.payment_intent);
    await provider.refunds.create({ payment_intent, amount: 1_000 });
    await deliverAll((events) => events.toReversed());

    expect(await shown()).toEqual({ credits: 2_600 - 862, debt: 0 });
    await provider.refunds.create({ payment_intent });
    await deliverAll();
    expect(await shown()).toEqual({ credits: 100, debt: 0 });
    await expectBalanced(organizationId);
  });

  it('is ignored after the organization was deleted', async () => {
    const { payment_intent } = await pay(10);
    await call(deleteOrganization, {
      token: owner.token,
      params: { organization_id: organizationId },
    });
    await drainWork();
    await provider.refunds.create({ payment_intent });

    await deliverAll();

    expect(await adjustments()).toEqual([]);
  });
});

describe('a dispute', () => {
  it('withdraws the credits until it is won, then returns them', async () => {
    const { charge } = await pay(10);
    await tellDispute('created', { id: 'du_1', charge, status: 'needs_response' });
    await tellDispute('funds_withdrawn', { id: 'du_1' });

    expect(await shown()).toEqual({ credits: 100, debt: 0 });
    await tellDispute('updated', { id: 'du_1', status: 'under_review' });
    await provider.disputes.update('du_1', {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await deliverAll((events) => events.toReversed());

    expect(await shown()).toEqual({ credits: 1_100, debt: 0 });
    expect(await adjustments()).toEqual([
      [-1_000, -1_000, 'Dispute of 10.00 USD'],
      [1_000, 1_000, 'Dispute of 10.00 USD won'],
    ]);
    expect(await mailSubjects()).toEqual([
      'Payment dispute closed for Analytical Engines',
      'Payment disputed for Analytical Engines',
    ]);
    await expectBalanced(organizationId);
  });

  it('becomes debt immediately if the credits are used, and winning it reduces the debt first', async () => {
    const { charge } = await pay(10);
    await useCreditsDownTo(300);
    await tellDispute('created', { id: 'du_1', charge });
    expect(await shown()).toEqual({ credits: 0, debt: 700 });

    await buy(owner, 5);
    expect(await shown()).toEqual({ credits: 0, debt: 200 });
    await tellDispute('closed', { id: 'du_1', status: 'won' });

    expect(await shown()).toEqual({ credits: 800, debt: 0 });
    await expectBalanced(organizationId);
  });

  it('does not return the credits if it is lost', async () => {
    const { charge } = await pay(10);
    await tellDispute('created', { id: 'du_1', charge });
    await tellDispute('closed', { id: 'du_1', status: 'lost' });

    expect(await shown()).toEqual({ credits: 100, debt: 0 });
    expect((await balanceOf(organizationId)).openDisputes).toBe(0);
    const texts = (await mailsTo(owner.email)).map(({ text: body }) => body);
    expect(texts.join()).toContain(
      'The bank returned the disputed payment of Analytical Engines to the cardholder',
    );
    await expectBalanced(organizationId);
  });

  it.each(['won', 'lost'])(
    'has the same result if it is reported as %s before it is reported as created',
    async (status) => {
      const { charge } = await pay(10);
      await tellDispute('closed', { id: 'du_1', charge, status });
      await tellDispute('created', { id: 'du_1', status: 'needs_response' });
      await tellDispute('funds_withdrawn', { id: 'du_1', status: 'needs_response' });

      expect(await shown()).toEqual({ credits: status === 'won' ? 1_100 : 100, debt: 0 });
      expect((await balanceOf(organizationId)).openDisputes ?? 0).toBe(0);
      await expectBalanced(organizationId);
    },
  );

  it.each(['warning_needs_response', 'warning_closed', 'prevented'])(
    'withdraws nothing with the status %s',
    async (status) => {
      const { charge } = await pay(10);
      await tellDispute('created', { id: 'du_1', charge, status });

      expect(await shown()).toEqual({ credits: 1_100, debt: 0 });
      expect((await balanceOf(organizationId)).openDisputes ?? 0).toBe(0);
    },
  );

  it('takes at most the credits of the payment if that was partly refunded', async () => {
    const { payment_intent, charge } = await pay(10);
    await provider.refunds.create({ payment_intent, amount: 400 });
    await tellDispute('created', { id: 'du_1', charge, amount: 1_000 });

    expect(await shown()).toEqual({ credits: 100, debt: 0 });
    await expectBalanced(organizationId);
  });

  it('stops auto-refill until it is closed, even for a refill that was about to start', async () => {
    const { charge } = await pay(10);
    await call(updateAutoRefillSettings, {
      token: owner.token,
      body: { enabled: true, threshold: 200, amount: 10 },
    });
    await tellDispute('created', { id: 'du_1', charge });
    const refills = async () =>
      (await ledgerOf(organizationId)).filter(({ type }) => type === 'auto_refill').length;
    await useCredit(organizationId);
    await runRefillJob();
    expect(await refills()).toBe(0);

    await tellDispute('closed', { id: 'du_1', status: 'lost' });
    await drainWork('refill-charge');

    expect(await refills()).toBe(1);
    expect(await shown()).toEqual({ credits: 1_099, debt: 0 });
    await expectBalanced(organizationId);
  });

  it('keeps auto-refill stopped when the dispute of another payment is closed', async () => {
    const [first, second] = [await pay(5), await pay(5)];
    await tellDispute('created', { id: 'du_1', charge: first.charge });
    await tellDispute('created', { id: 'du_2', charge: second.charge });
    await tellDispute('closed', { id: 'du_1', status: 'lost' });

    expect((await balanceOf(organizationId)).openDisputes).toBe(1);
    await expectBalanced(organizationId);
  });

  it('withdraws the credits of the period for a subscription invoice', async () => {
    await giveCard(organizationId, 'pm_card_createDispute');
    expect((await subscribe(owner)).status).toBe(201);
    await deliverAll((events) => events.toReversed());

    expect(await shown()).toEqual({ credits: 100, debt: 0 });
    const [dispute] = (await provider.disputes.list()).data;
    await provider.disputes.update(String(dispute?.id), {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await deliverAll();
    expect(await shown()).toEqual({ credits: 2_600, debt: 0 });
    await expectBalanced(organizationId);
  });
});

/** Passes the provider's deliveries to the service, like API Gateway. */
async function serveWebhook(): Promise<string> {
  const server = createServer(async (request, response) => {
    const answer = await deliver(await text(request), String(request.headers['stripe-signature']));
    response.writeHead(answer.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());

  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the provider’s own deliveries', () => {
  it('keep the balance exact if they are repeated and out of order', async () => {
    await sandbox.setServiceUrl(await serveWebhook());
    await sandbox.setPaymentDelivery({ copies: 3, reverseAfterMs: 50 });
    const [disputed, refunded] = [
      await pay(10, await giveCard(organizationId, 'pm_card_createDispute')),
      await pay(20, await giveCard(organizationId, 'pm_card_visa')),
    ];
    await provider.refunds.create({ payment_intent: refunded.payment_intent, amount: 500 });
    const [dispute] = (await provider.disputes.list({ charge: disputed.charge })).data;
    await provider.disputes.close(String(dispute?.id));

    // Waits for all deliveries, and restores the default.
    await sandbox.setPaymentDelivery({});
    await drainWork('payment-events');

    const events = await sandbox.paymentEvents();
    expect(events.map(({ statuses }) => statuses)).toEqual(events.map(() => [200, 200, 200]));
    expect(await shown()).toEqual({ credits: 1_600, debt: 0 });
    await expectBalanced(organizationId);
  });
});

describe('recounting', () => {
  it('finds and repairs a wrong balance, debt and number of disputes', async () => {
    const target = {
      tableName: String(process.env.TABLE_NAME),
      endpoint: String(process.env.DYNAMODB_ENDPOINT),
    };
    const { pk, sk } = keys.balance(organizationId);
    const differences = async () =>
      (await recount(target)).filter(({ key }) => key.pk === pk && key.sk === sk);
    const [refunded, disputed] = [await pay(5), await pay(5)];
    await useCreditsDownTo(200);
    await write(...planCreditReservation(organizationId, newId()));
    await provider.refunds.create({ payment_intent: refunded.payment_intent });
    await deliverAll();
    await tellDispute('created', { id: 'du_1', charge: disputed.charge });
    const right = await balanceOf(organizationId);
    expect(await differences()).toEqual([]);

    const drift = { credits: 7, available: -3, debt: 2, openDisputes: 1 };
    await write(change(keys.balance(organizationId), { add: drift }));
    const found = await differences();

    expect(
      Object.fromEntries(
        found.map(({ attribute, stored, counted }) => [attribute, stored - counted]),
      ),
    ).toEqual(drift);
    await repair(target, found);
    const { writeId: _before, ...repaired } = (await balanceOf(organizationId)) as Attributes;
    const { writeId: _after, ...before } = right as Attributes;
    expect(repaired).toEqual(before);
    await expectBalanced(organizationId);
  });
});
