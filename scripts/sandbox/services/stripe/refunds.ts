import { StripeError } from './errors.ts';
import { changeMetadata, choice, identifier, integer, metadata, notModelled } from './params.ts';
import { requireIntent } from './payment-intents.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import { nowSeconds, type Refund, randomText } from './store.ts';

const createParams = {
  payment_intent: identifier,
  amount: integer(1, 99_999_999),
  metadata,
  reason: choice('duplicate', 'fraudulent', 'requested_by_customer'),
  charge: notModelled,
};

/** Formats a refund as Stripe does. */
function writeRefund(refund: Refund): StripeObject {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: null,
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    metadata: refund.metadata,
    payment_intent: refund.paymentIntent,
    reason: refund.reason,
    receipt_number: null,
    status: 'succeeded',
  };
}

export const refundRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/refunds',
    params: createParams,
    required: ['payment_intent'],
    run: (store, params) => {
      const intent = requireIntent(store, params.payment_intent ?? '');
      const given = [...store.refunds.values()]
        .filter(({ paymentIntent }) => paymentIntent === intent.id)
        .reduce((sum, { amount }) => sum + amount, 0);
      const amount = params.amount ?? intent.amount - given;
      if (intent.status !== 'succeeded' || amount < 1 || given + amount > intent.amount) {
        throw new StripeError(400, `Charge ${intent.latestCharge} has already been refunded.`, {
          code: 'charge_already_refunded',
        });
      }
      const refund: Refund = {
        id: `re_3${randomText(23)}`,
        created: nowSeconds(store),
        amount,
        currency: intent.currency,
        paymentIntent: intent.id,
        charge: intent.latestCharge,
        reason: params.reason ?? null,
        metadata: changeMetadata({}, params.metadata),
      };
      store.refunds.set(refund.id, refund);
      store.emit('refund.created', writeRefund(refund));

      return writeRefund(refund);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/refunds',
    params: { ...listParams, payment_intent: identifier },
    run: (store, params) => {
      const refunds = [...store.refunds.values()].filter(
        ({ paymentIntent }) =>
          params.payment_intent === undefined || paymentIntent === params.payment_intent,
      );

      return pageOf(refunds, params, '/v1/refunds', writeRefund);
    },
  }),
];
