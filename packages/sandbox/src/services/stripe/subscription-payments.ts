import { declineError } from './cards.ts';
import { StripeError } from './errors.ts';
import { putInvoice } from './invoices.ts';
import { payByIntent } from './payment-intents.ts';
import {
  type Invoice,
  nowSeconds,
  type PaymentMethod,
  type StripeStore,
  type Subscription,
} from './store.ts';

/** Days between payment attempts for an unpaid invoice. */
const retryDays = [3, 5, 7];
const daySeconds = 86_400;

/** The subscription's own card, or the customer's default card. */
export function cardOf(store: StripeStore, subscription: Subscription): PaymentMethod | undefined {
  const { defaultPaymentMethod: fallback = null } =
    store.customers.get(subscription.customer) ?? {};
  const own = store.paymentMethods.get(subscription.defaultPaymentMethod ?? '');

  return own?.customer === subscription.customer ? own : store.paymentMethods.get(fallback ?? '');
}

/** Returns the reason why the card would be declined now, or undefined if it would pay. */
export function refusalOf(
  method: PaymentMethod | undefined,
  amount: number,
): StripeError | undefined {
  if (amount === 0) {
    return undefined;
  }
  if (method === undefined) {
    return new StripeError(
      400,
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    );
  }
  const decline = method.behavior.decline ?? method.behavior.chargeDecline;
  if (decline !== undefined) {
    return declineError(decline);
  }

  return method.behavior.needsAuthentication === true
    ? new StripeError(
        402,
        'Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with `subscription.latest_invoice`.',
        { type: 'card_error', code: 'subscription_payment_intent_requires_action' },
      )
    : undefined;
}

/** Charges the card, if anything must be paid, and marks the invoice as paid. */
export function payInvoice(
  store: StripeStore,
  invoice: Invoice,
  method: PaymentMethod | undefined,
): Invoice {
  const { amount, currency, customer, description } = invoice;
  const intent =
    method !== undefined && amount > 0
      ? payByIntent(store, method, { amount, currency, customer, description })
      : undefined;
  const paid: Invoice = {
    ...invoice,
    status: 'paid',
    attempts: invoice.attempts + (invoice.amount > 0 ? 1 : 0),
    nextAttempt: null,
    paidAt: nowSeconds(store),
    paymentIntent: intent?.id ?? null,
  };

  return putInvoice(store, paid, 'invoice.paid', 'invoice.payment_succeeded');
}

/**
 * Records a declined payment. The invoice stays open, and the payment may be retried after some
 * days.
 */
export function failInvoice(store: StripeStore, invoice: Invoice): Invoice {
  const days = retryDays[invoice.attempts];
  const failed: Invoice = {
    ...invoice,
    attempts: invoice.attempts + 1,
    nextAttempt: days === undefined ? null : nowSeconds(store) + days * daySeconds,
  };

  return putInvoice(store, failed, 'invoice.payment_failed');
}

/** Voids the invoice, so nobody has to pay it. */
export function voidInvoice(store: StripeStore, invoice: Invoice): Invoice {
  const voided: Invoice = {
    ...invoice,
    status: 'void',
    nextAttempt: null,
    voidedAt: nowSeconds(store),
  };

  return putInvoice(store, voided, 'invoice.voided');
}
