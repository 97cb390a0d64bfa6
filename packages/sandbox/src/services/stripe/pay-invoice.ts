import { noSuch, StripeError } from './errors.ts';
import { putInvoice, writeInvoice } from './invoices.ts';
import { flag, identifier, notModelled } from './params.ts';
import { stripeRoute } from './route.ts';
import { type Invoice, requireAttached, type StripeStore } from './store.ts';
import { cardOf, payInvoice, refusalOf } from './subscription-payments.ts';
import { putSubscription } from './subscriptions.ts';

/**
 * Pays an open invoice on request, regardless of its next scheduled attempt. Finalizes a draft
 * first.
 */
export const invoicePaymentRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    params: {
      payment_method: identifier,
      off_session: flag,
      paid_out_of_band: notModelled,
      forgive: notModelled,
      mandate: notModelled,
      source: notModelled,
    },
    run: (store, { payment_method: card }, id) => writeInvoice(payNow(store, id, card)),
  }),
];

function payNow(store: StripeStore, id: string, card: string | undefined): Invoice {
  const found = store.invoices.get(id);
  const subscription = store.subscriptions.get(found?.subscription ?? '');
  if (!found || !subscription) {
    throw noSuch('invoice', id, { param: 'invoice', inPath: true });
  }
  const invoice = finalized(store, found);
  if (invoice.status !== 'open') {
    throw new StripeError(
      400,
      invoice.status === 'paid' ? 'Invoice is already paid' : 'Invoice can no longer be paid',
    );
  }
  const method = card
    ? requireAttached(store, card, invoice.customer)
    : cardOf(store, subscription);
  const refusal = refusalOf(method, invoice.amount);
  if (refusal !== undefined) {
    putInvoice(store, invoice, 'invoice.payment_failed');
    throw refusal;
  }
  putSubscription(store, { ...subscription, status: 'active' }, 'updated');

  return payInvoice(store, invoice, method);
}

function finalized(store: StripeStore, invoice: Invoice): Invoice {
  return invoice.status === 'draft'
    ? putInvoice(store, { ...invoice, status: 'open' }, 'invoice.finalized')
    : invoice;
}
