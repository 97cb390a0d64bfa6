import { choice, identifier, object, timeRange } from './params.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import { type Invoice, isWithin, type StripeStore } from './store.ts';

/** Formats the payment of an invoice as Stripe does. */
function writeInvoicePayment(invoice: Invoice): StripeObject {
  return {
    id: idOf(invoice),
    object: 'invoice_payment',
    amount_paid: invoice.amount,
    amount_requested: invoice.amount,
    created: invoice.paidAt,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: invoice.paymentIntent, type: 'payment_intent' },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: invoice.paidAt },
  };
}

const idOf = ({ id }: Invoice) => `inpay_1${id.slice(4)}`;

function paidInvoices(store: StripeStore): readonly Invoice[] {
  return [...store.invoices.values()].filter(({ paymentIntent }) => paymentIntent !== null);
}

const listFilters = {
  ...listParams,
  created: timeRange,
  invoice: identifier,
  payment: object({
    type: choice('payment_intent', 'payment_record'),
    payment_intent: identifier,
    payment_record: identifier,
  }),
  status: choice('canceled', 'open', 'paid'),
};

/** Stripe links invoices and payment intents only through invoice payments. */
export const invoicePaymentListRoutes = [
  stripeRoute({
    method: 'GET',
    path: '/v1/invoice_payments',
    params: listFilters,
    run: (store, params) => {
      const intentId = params.payment?.payment_intent;
      const payments = paidInvoices(store)
        .filter(
          (one) =>
            (params.invoice === undefined || one.id === params.invoice) &&
            (intentId === undefined || one.paymentIntent === intentId) &&
            isWithin(one.paidAt ?? 0, params.created ?? {}),
        )
        .map((one) => ({ ...one, invoiceId: one.id, id: idOf(one) }));

      return pageOf(payments, params, '/v1/invoice_payments', (one) =>
        writeInvoicePayment({ ...one, id: one.invoiceId }),
      );
    },
  }),
];
