import { noSuch } from './errors.ts';
import { choice, identifier, notModelled, text, timeRange } from './params.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import {
  type Invoice,
  isWithin,
  nowSeconds,
  type Proration,
  randomText,
  requireCustomer,
  type StripeStore,
  type Subscription,
} from './store.ts';

const listFilters = {
  ...listParams,
  created: timeRange,
  customer: identifier,
  status: choice('draft', 'open', 'paid', 'uncollectible', 'void'),
  subscription: identifier,
  collection_method: notModelled,
  customer_account: notModelled,
};

/** Formats an invoice as Stripe does. */
export function writeInvoice(invoice: Invoice): StripeObject {
  const { id, amount, currency, status, created } = invoice;
  const isPaid = status === 'paid';
  const isDraft = status === 'draft';

  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Social Leads',
    amount_due: amount,
    amount_paid: isPaid ? amount : 0,
    amount_remaining: isPaid || status === 'void' ? 0 : amount,
    attempt_count: invoice.attempts,
    attempted: invoice.attempts > 0 || isPaid,
    auto_advance: status === 'open',
    billing_reason: invoice.billingReason,
    collection_method: 'charge_automatically',
    created,
    currency,
    customer: invoice.customer,
    default_payment_method: null,
    description: null,
    due_date: null,
    hosted_invoice_url: isDraft ? null : invoice.pdfUrl.replace(/\/pdf$/, ''),
    invoice_pdf: isDraft ? null : invoice.pdfUrl,
    lines: {
      object: 'list',
      data: linesOf(invoice),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: invoice.nextAttempt,
    number: isDraft ? null : invoice.number,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: invoice.subscriptionMetadata,
        subscription: invoice.subscription,
      },
      type: 'subscription_details',
    },
    period_end: created,
    period_start: created,
    status,
    status_transitions: {
      finalized_at: isDraft ? null : created,
      marked_uncollectible_at: null,
      paid_at: invoice.paidAt,
      voided_at: invoice.voidedAt,
    },
    subtotal: amount,
    total: amount,
  };
}

function linesOf(invoice: Invoice): readonly StripeObject[] {
  const { prorations, price, amount, description } = invoice;

  return prorations
    ? prorations.map((line, index) => writeLine(invoice, line, `${index}`))
    : [writeLine(invoice, { price, amount, description }, '')];
}

function writeLine(
  invoice: Invoice,
  { price, amount, description }: Proration,
  suffix: string,
): StripeObject {
  const { id, currency, periodStart, periodEnd, subscription } = invoice;
  const proration = invoice.prorations !== undefined;

  return {
    id: `il_1${id.slice(4)}${suffix}`,
    object: 'line_item',
    amount,
    currency,
    description,
    discountable: !proration,
    invoice: id,
    livemode: false,
    metadata: invoice.subscriptionMetadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: { invoice_item: null, proration, subscription },
      type: 'subscription_item_details',
    },
    period: { start: periodStart, end: periodEnd },
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: String(price.unitAmount),
    },
    quantity: 1,
    subtotal: amount,
  };
}

/** Creates the invoice for a subscription period. No payment is attempted yet. */
export function makeInvoice(
  store: StripeStore,
  subscription: Subscription,
  what: Pick<Invoice, 'amount' | 'billingReason' | 'prorations'>,
): Invoice {
  const { price, customer, periodStart, periodEnd } = subscription;
  const { invoicePrefix = '' } = store.customers.get(customer) ?? {};
  const earlier = [...store.invoices.values()].filter((other) => other.customer === customer);
  const id = `in_1${randomText(23)}`;

  return {
    ...what,
    id,
    customer,
    subscription: subscription.id,
    subscriptionMetadata: subscription.metadata,
    price,
    currency: price.currency,
    created: nowSeconds(store),
    number: `${invoicePrefix}-${String(earlier.length + 1).padStart(4, '0')}`,
    description:
      what.amount === 0
        ? `Trial period for ${price.nickname ?? 'the plan'}`
        : `1 × ${price.nickname ?? 'plan'} (at $${(price.unitAmount / 100).toFixed(2)} / ${price.interval})`,
    periodStart,
    periodEnd,
    status: 'open',
    attempts: 0,
    nextAttempt: null,
    paidAt: null,
    voidedAt: null,
    paymentIntent: null,
    pdfUrl: `${store.address.url}/stripe/invoices/${id}/pdf`,
  };
}

/** Stores an invoice and sends its events. */
export function putInvoice(
  store: StripeStore,
  invoice: Invoice,
  ...events: readonly string[]
): Invoice {
  store.invoices.set(invoice.id, invoice);
  for (const event of events) {
    store.emit(event, writeInvoice(invoice));
  }

  return invoice;
}

export const invoiceRoutes = [
  stripeRoute({
    method: 'GET',
    path: '/v1/invoices',
    params: listFilters,
    run: (store, params) => {
      if (params.customer !== undefined) {
        requireCustomer(store, params.customer, { param: 'customer', inPath: false });
      }
      const invoices = [...store.invoices.values()].filter(
        (invoice) =>
          (params.customer === undefined || invoice.customer === params.customer) &&
          (params.status === undefined || invoice.status === params.status) &&
          (params.subscription === undefined || invoice.subscription === params.subscription) &&
          isWithin(invoice.created, params.created ?? {}),
      );

      return pageOf(invoices, params, '/v1/invoices', writeInvoice);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/invoices/:id',
    params: { customer: text() },
    run: (store, _params, id) => {
      const invoice = store.invoices.get(id);
      if (invoice === undefined) {
        throw noSuch('invoice', id, { param: 'invoice', inPath: true });
      }

      return writeInvoice(invoice);
    },
  }),
];
