import { makeInvoice, putInvoice } from './invoices.ts';
import { monthLater } from './month-later.ts';
import type { Invoice, StripeStore, Subscription } from './store.ts';
import {
  cardOf,
  failInvoice,
  payInvoice,
  refusalOf,
  voidInvoice,
} from './subscription-payments.ts';
import { endSubscription, putSubscription } from './subscriptions.ts';

/** An incomplete subscription expires if its first payment does not succeed within this time. */
const firstPaymentSeconds = 23 * 3_600;

/**
 * Subscriptions in these states start a new period when the current one ends, `unpaid` included.
 */
const isRenewed: ReadonlySet<Subscription['status']> = new Set([
  'trialing',
  'active',
  'past_due',
  'unpaid',
]);

type Step = { readonly at: number; readonly run: () => void };

/** Runs every due subscription step until the given time, in chronological order. */
export function passTime(
  store: StripeStore,
  until: number,
  setNow: (seconds: number) => void,
): void {
  for (;;) {
    const steps = [...store.subscriptions.values()].flatMap((one) => nextStep(store, one) ?? []);
    const [next] = steps.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
    if (next === undefined) {
      setNow(until);

      return;
    }
    setNow(next.at);
    next.run();
  }
}

/** Returns the next automatic step of a subscription, if any. */
function nextStep(store: StripeStore, subscription: Subscription): Step | undefined {
  const { status, periodEnd, cancelAtPeriodEnd, created, latestInvoice } = subscription;
  if (status === 'incomplete') {
    return { at: created + firstPaymentSeconds, run: () => endSubscription(store, subscription) };
  }
  if (!isRenewed.has(status)) {
    return undefined;
  }
  const owed = store.invoices.get(latestInvoice ?? '');
  const retryAt = status === 'past_due' ? (owed?.nextAttempt ?? null) : null;
  if (owed !== undefined && retryAt !== null && retryAt < periodEnd) {
    return { at: retryAt, run: () => collect(store, subscription, owed) };
  }

  return {
    at: periodEnd,
    run: () =>
      cancelAtPeriodEnd ? endSubscription(store, subscription) : renew(store, subscription),
  };
}

/**
 * Starts the next period and attempts payment. For an `unpaid` subscription, payment is attempted
 * only on request.
 */
function renew(store: StripeStore, before: Subscription): void {
  const anchor = before.trialEnd ?? before.created;
  const next: Subscription = {
    ...before,
    periodStart: before.periodEnd,
    periodEnd: monthLater(before.periodEnd, anchor),
  };
  const invoice = makeInvoice(store, next, {
    amount: next.price.unitAmount,
    billingReason: 'subscription_cycle',
  });
  if (before.status === 'unpaid') {
    putInvoice(store, { ...invoice, status: 'draft' }, 'invoice.created');
    putSubscription(store, { ...next, latestInvoice: invoice.id }, 'updated');

    return;
  }
  putInvoice(store, invoice, 'invoice.created', 'invoice.finalized');
  collect(store, { ...next, latestInvoice: invoice.id }, invoice);
}

function collect(store: StripeStore, subscription: Subscription, invoice: Invoice): void {
  if (subscription.pauseBehavior !== null) {
    voidInvoice(store, invoice);
    putSubscription(store, { ...subscription, status: 'active' }, 'updated');

    return;
  }
  const card = cardOf(store, subscription);
  if (refusalOf(card, invoice.amount) === undefined) {
    putSubscription(store, { ...subscription, status: 'active' }, 'updated');
    payInvoice(store, invoice, card);

    return;
  }
  const { nextAttempt } = failInvoice(store, invoice);
  const status = nextAttempt === null ? 'unpaid' : 'past_due';
  putSubscription(store, { ...subscription, status }, 'updated');
}
