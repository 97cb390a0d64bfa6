import { expect } from 'vitest';
import { handler as refillJob } from '#functions/jobs/credit-refill.ts';
import { handler as reconcileJob } from '#functions/jobs/payment-reconcile.ts';
import { requireBillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import {
  planCreditReservation,
  planCreditUse,
} from '#lib/features/billing/ledger/credit-reservations.ts';
import type { LedgerEntry } from '#lib/features/billing/ledger/ledger.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { purchaseCredits, receivePaymentEvent } from '#schemas/billing.ts';
import { createSubscription } from '#schemas/billing-subscription.ts';
import type { Account } from './accounts.ts';
import { type Answer, call, lambdaContext } from './api.ts';
import { sandbox } from './mails.ts';
import { startLater } from './own-table.ts';
import { provider } from './provider.ts';
import { storedItems } from './table.ts';
import { drainWork } from './work.ts';

export async function customerOf(organizationId: string): Promise<string> {
  return (await requireBillingCustomer(organizationId)).customerId;
}

/** Returns the organization's default card at the provider. */
export async function defaultCardOf(organizationId: string): Promise<string> {
  const customer = await provider.customers.retrieve(await customerOf(organizationId));

  return customer.deleted ? '' : String(customer.invoice_settings.default_payment_method);
}

/** Attaches another of the provider's test cards and makes it the default. */
export async function giveCard(organizationId: string, testCard: string): Promise<string> {
  const customer = await customerOf(organizationId);
  const { id } = await provider.paymentMethods.attach(testCard, { customer });
  await provider.customers.update(customer, { invoice_settings: { default_payment_method: id } });

  return id;
}

/** Buys credits with the default card, or another one. */
export async function buy(
  { token, organizationId }: Pick<Account, 'token' | 'organizationId'>,
  amount: number,
  paymentMethodId?: string,
): Promise<Answer> {
  const card = paymentMethodId ?? (await defaultCardOf(organizationId));

  return call(purchaseCredits, { token, body: { amount, paymentMethodId: card } });
}

/** Subscribes with the default card, or another one. */
export async function subscribe(
  { token, organizationId }: Pick<Account, 'token' | 'organizationId'>,
  order: { readonly planId?: string; readonly paymentMethodId?: string } = {},
): Promise<Answer> {
  const { planId = 'starter', paymentMethodId = await defaultCardOf(organizationId) } = order;

  return call(createSubscription, { token, body: { planId, paymentMethodId } });
}

/** Returns the successful credit payments at the provider, oldest first. */
export async function paidBy(organizationId: string) {
  const customer = await customerOf(organizationId);
  const intents = await provider.paymentIntents.list({ customer, limit: 100 });

  return intents.data
    .filter(({ status, metadata }) => status === 'succeeded' && metadata.payment_id)
    .toReversed();
}

/** Uses a credit like a sent reply: reserves it, and then charges it. */
export async function useCredit(organizationId: string): Promise<void> {
  const replyId = newId();
  await write(...planCreditReservation(organizationId, replyId));
  await write(...planCreditUse(organizationId, replyId));
  await refillWhenLow(organizationId);
}

export async function balanceOf(organizationId: string): Promise<Balance> {
  const balance = await get<Balance>(keys.balance(organizationId));
  if (!balance) {
    throw new Error('There is no balance');
  }

  return balance;
}

/** Returns all entries of an organization's ledger. */
export async function ledgerOf(organizationId: string): Promise<readonly LedgerEntry[]> {
  const { pk } = keys.ledgerEntry(organizationId, '', '');
  const items = await storedItems(pk);

  return items.filter((item) => item.pk === pk) as unknown as readonly LedgerEntry[];
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Returns the credits to take back according to the provider, by payment. */
async function reversedAtProvider(
  organizationId: string,
  ledger: readonly LedgerEntry[],
): Promise<Readonly<Record<string, number>>> {
  const customer = await customerOf(organizationId);
  const [{ data: charges }, { data: disputes }, { data: payments }] = await Promise.all([
    provider.charges.list({ customer, limit: 100 }),
    provider.disputes.list({ limit: 100 }),
    provider.invoicePayments.list({ limit: 100 }),
  ]);
  const reversed = charges.flatMap(({ id, payment_intent, amount, amount_refunded: refunded }) => {
    const intentId = String(payment_intent);
    const paid = payments.find(({ payment }) => payment.payment_intent === intentId);
    const sources = new Set<unknown>([intentId, paid?.invoice]);
    const entry = ledger.find(({ reference, isReversal }) => !isReversal && sources.has(reference));
    const withdrawn = disputes
      .filter(({ charge, status }) => charge === id && /^(lost|needs_|under_|appeal_)/.test(status))
      .map((dispute) => dispute.amount);
    const cents = Math.min(amount, refunded + sumOf(withdrawn));
    const credits = Math.floor(((entry?.credits ?? 0) * cents) / amount);

    return credits > 0 ? [[intentId, credits] as const] : [];
  });

  return Object.fromEntries(reversed);
}

/**
 * Expects that the balance equals the ledger's sum and is not negative, the daily statistics match
 * the entries, each payment is credited once, and exactly the credits of refunded and disputed
 * payments are taken back.
 */
export async function expectBalanced(organizationId: string): Promise<void> {
  const [balance, ledger, own, paid] = await Promise.all([
    balanceOf(organizationId),
    ledgerOf(organizationId),
    storedItems(keys.balance(organizationId).pk),
    paidBy(organizationId),
  ]);
  const held = own.filter(({ sk }) => sk.startsWith('RESERVATION#')).length;
  const days = own.filter(({ sk }) => sk.startsWith('USAGE#'));
  const reversals = own.filter(({ sk }) => sk.startsWith('REVERSAL#'));
  const { debt = 0, openDisputes = 0 } = balance;
  expect(balance.credits).toBe(sumOf(ledger.map(({ credits }) => credits)));
  expect(balance.credits).toBeGreaterThanOrEqual(held);
  expect(balance.available).toBe(balance.credits - held - debt);
  const reversed = reversals.map(({ reversedCredits }) => Number(reversedCredits));
  const moved = ledger.filter(({ isReversal }) => isReversal).map(({ credits }) => credits);
  expect(debt).toBe(sumOf([...reversed, ...moved]));
  expect(openDisputes).toBe(reversals.filter(({ isDisputed }) => isDisputed).length);
  const byPayment = reversals
    .filter(({ reversedCredits }) => Number(reversedCredits) > 0)
    .map(({ intentId, reversedCredits }) => [intentId, reversedCredits]);
  expect(Object.fromEntries(byPayment)).toEqual(await reversedAtProvider(organizationId, ledger));
  for (const type of new Set(ledger.map((entry) => entry.type))) {
    const ofType = ledger.filter((entry) => entry.type === type);
    const count = sumOf(days.map((day) => Number(day[`entries_${type}`] ?? 0)));
    const credits = sumOf(days.map((day) => Number(day[`credits_${type}`] ?? 0)));
    expect(balance[`entries_${type}`]).toBe(ofType.length);
    expect(count).toBe(ofType.length);
    expect(credits).toBe(sumOf(ofType.map((entry) => entry.credits)));
  }
  const credited = ledger.filter(
    ({ reference, isReversal }) => reference?.startsWith('pi_') && !isReversal,
  );
  const amounts = credited.map(({ reference, amountCents }) => `${reference} ${amountCents}`);
  expect(amounts.sort()).toEqual(paid.map(({ id, amount }) => `${id} ${amount}`).sort());
}

/** Delivers a provider event to the service. */
export async function deliver(payload: string, signature: string): Promise<Answer> {
  return call(receivePaymentEvent, { body: payload, headers: { 'stripe-signature': signature } });
}

/** Delivers all provider events so far, in the given order. */
export async function deliverAll(
  order: <E>(events: readonly E[]) => readonly E[] = (events) => events,
): Promise<void> {
  for (const { payload, signature } of order(await sandbox.paymentEvents())) {
    expect((await deliver(payload, signature)).status).toBe(200);
  }
  await drainWork('payment-events');
}

export async function runRefillJob() {
  const outcome = await refillJob({}, lambdaContext(240_000));
  await drainWork('refill-charge');

  return outcome;
}

export const runReconcileJob = () => startLater(reconcileJob);
