import { randomBytes } from 'node:crypto';
import type { CardBehavior } from './cards.ts';
import { noSuch, StripeError } from './errors.ts';
import type { TimeRange } from './params.ts';

export type Customer = {
  readonly id: string;
  readonly created: number;
  readonly deleted: boolean;
  readonly address: Readonly<Record<string, string | null>> | null;
  readonly description: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
  readonly preferredLocales: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly defaultPaymentMethod: string | null;
  readonly invoicePrefix: string;
};

export type PaymentMethod = {
  readonly id: string;
  readonly created: number;
  readonly customer: string | null;
  /** True if it was detached or its customer was deleted. It can't be attached again. */
  readonly spent: boolean;
  readonly card: Readonly<Record<string, unknown>>;
  readonly billingDetails: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly behavior: CardBehavior;
};

export type SetupIntent = {
  readonly id: string;
  readonly created: number;
  readonly clientSecret: string;
  readonly customer: string | null;
  readonly paymentMethod: string | null;
  readonly status: string;
  readonly usage: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly automatic: boolean;
  readonly allowedTypes: readonly string[] | null;
};

export type PaymentIntent = {
  readonly id: string;
  readonly created: number;
  readonly clientSecret: string;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly paymentMethod: string | null;
  readonly status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'succeeded'
    | 'canceled';
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly automatic: boolean;
  readonly allowedTypes: readonly string[] | null;
  readonly lastPaymentError: Readonly<Record<string, string>> | null;
  readonly latestCharge: string | null;
  readonly canceledAt: number | null;
};

export type Refund = {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly paymentIntent: string;
  readonly charge: string | null;
  readonly reason: string | null;
  readonly status: string;
  readonly metadata: Readonly<Record<string, string>>;
};

/** A dispute in Stripe's format. */
export type Dispute = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly created: number;
  readonly status: string;
};

export type Price = {
  readonly id: string;
  readonly created: number;
  readonly active: boolean;
  readonly currency: string;
  readonly unitAmount: number;
  readonly interval: 'month' | 'year';
  readonly lookupKey: string | null;
  readonly nickname: string | null;
  readonly product: string;
  readonly metadata: Readonly<Record<string, string>>;
};

export type Subscription = {
  readonly id: string;
  readonly itemId: string;
  readonly created: number;
  readonly customer: string;
  readonly price: Price;
  readonly status:
    | 'incomplete'
    | 'incomplete_expired'
    | 'trialing'
    | 'active'
    | 'past_due'
    | 'canceled'
    | 'unpaid'
    | 'paused';
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly trialStart: number | null;
  readonly trialEnd: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly canceledAt: number | null;
  readonly endedAt: number | null;
  readonly defaultPaymentMethod: string | null;
  readonly latestInvoice: string | null;
  readonly pauseBehavior: 'keep_as_draft' | 'mark_uncollectible' | 'void' | null;
  readonly metadata: Readonly<Record<string, string>>;
};

export type Proration = {
  readonly price: Price;
  readonly amount: number;
  readonly description: string;
};

export type Invoice = {
  readonly id: string;
  readonly created: number;
  readonly number: string;
  readonly status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  readonly customer: string;
  readonly subscription: string;
  readonly subscriptionMetadata: Readonly<Record<string, string>>;
  readonly price: Price;
  readonly amount: number;
  readonly currency: string;
  readonly billingReason:
    | 'subscription_create'
    | 'subscription_cycle'
    | 'subscription_update'
    | 'upcoming';
  /** The lines of a plan change within a period. Other invoices have one line for the period. */
  readonly prorations?: readonly Proration[];
  readonly description: string;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly attempts: number;
  readonly nextAttempt: number | null;
  readonly paidAt: number | null;
  readonly voidedAt: number | null;
  /** The payment intent that paid it. Null if it is not paid yet, or if nothing had to be paid. */
  readonly paymentIntent: string | null;
  readonly pdfUrl: string;
};

/** The complete state of the Stripe stand-in. Maps keep insertion order. */
export type StripeStore = {
  readonly customers: Map<string, Customer>;
  readonly paymentMethods: Map<string, PaymentMethod>;
  readonly setupIntents: Map<string, SetupIntent>;
  readonly paymentIntents: Map<string, PaymentIntent>;
  readonly refunds: Map<string, Refund>;
  readonly disputes: Map<string, Dispute>;
  /** Fields of charges from events, by charge. */
  readonly reportedCharges: Map<string, Readonly<Record<string, unknown>>>;
  readonly prices: Map<string, Price>;
  readonly subscriptions: Map<string, Subscription>;
  readonly invoices: Map<string, Invoice>;
  /** The URL of the last request to the stand-in, used to build links. */
  readonly address: { url: string };
  readonly now: () => Date;
  /** Sends an event to the service. */
  readonly emit: (type: string, object: Readonly<Record<string, unknown>>) => void;
};

const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function createStore(now: () => Date, emit: StripeStore['emit']): StripeStore {
  return {
    customers: new Map(),
    paymentMethods: new Map(),
    setupIntents: new Map(),
    paymentIntents: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    reportedCharges: new Map(),
    prices: new Map(),
    subscriptions: new Map(),
    invoices: new Map(),
    address: { url: '' },
    now,
    emit,
  };
}

/** True if the time is within the requested range. */
export function isWithin(moment: number, range: TimeRange): boolean {
  const { gt = -1, gte = 0, lt = Infinity, lte = Infinity } = range;

  return moment > gt && moment >= gte && moment < lt && moment <= lte;
}

/** Random letters and digits for Stripe-style ids. */
export function randomText(length: number): string {
  return [...randomBytes(length)].map((byte) => idAlphabet[byte % idAlphabet.length]).join('');
}

/** The current time in seconds, the unit of Stripe's timestamps. */
export function nowSeconds(store: StripeStore): number {
  return Math.floor(store.now().getTime() / 1_000);
}

/** Returns the customer, or throws if it is missing or deleted. */
export function requireCustomer(
  store: StripeStore,
  id: string,
  where: { readonly param: string; readonly inPath: boolean },
): Customer {
  const customer = store.customers.get(id);

  if (customer === undefined || customer.deleted) {
    throw noSuch('customer', id, where);
  }

  return customer;
}

export function requirePrice(
  store: StripeStore,
  id: string,
  where: { readonly param: string; readonly inPath: boolean },
): Price {
  const price = store.prices.get(id);

  if (price === undefined) {
    throw noSuch('price', id, where);
  }

  return price;
}

/** Returns the payment method, or throws if it is not attached to this customer. */
export function requireAttached(store: StripeStore, id: string, customer: string): PaymentMethod {
  const method = store.paymentMethods.get(id);

  if (method?.customer !== customer) {
    throw new StripeError(
      400,
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param: 'invoice_settings[default_payment_method]' },
    );
  }

  return method;
}
