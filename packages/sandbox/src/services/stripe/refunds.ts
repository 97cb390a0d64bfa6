import { findCharge, refundedCents } from './charges.ts';
import { noSuch, StripeError } from './errors.ts';
import { changeMetadata, choice, identifier, integer, metadata } from './params.ts';
import { requireIntent } from './payment-intents.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import {
  nowSeconds,
  type PaymentIntent,
  type Refund,
  randomText,
  type StripeStore,
} from './store.ts';

const createParams = {
  payment_intent: identifier,
  amount: integer(1, 99_999_999),
  metadata,
  reason: choice('duplicate', 'fraudulent', 'requested_by_customer'),
  charge: identifier,
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
    customer: null,
    customer_account: null,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: refund.metadata,
    payment_intent: refund.paymentIntent,
    reason: refund.reason,
    payment_method: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  };
}

/** Stores a refund from an event. */
export function reportRefund(store: StripeStore, reported: StripeObject): StripeObject {
  const id = typeof reported.id === 'string' ? reported.id : `re_3${randomText(23)}`;
  const before = store.refunds.get(id);
  const textOf = (name: string) =>
    typeof reported[name] === 'string' ? reported[name] : undefined;
  const intent =
    store.paymentIntents.get(textOf('payment_intent') ?? '') ??
    [...store.paymentIntents.values()].find(({ latestCharge }) => latestCharge === reported.charge);
  const refund: Refund = {
    id,
    created: before?.created ?? nowSeconds(store),
    amount: Number(reported.amount ?? before?.amount ?? 0),
    currency: textOf('currency') ?? before?.currency ?? 'usd',
    paymentIntent: textOf('payment_intent') ?? before?.paymentIntent ?? intent?.id ?? '',
    charge: textOf('charge') ?? before?.charge ?? intent?.latestCharge ?? null,
    reason: textOf('reason') ?? before?.reason ?? null,
    status: textOf('status') ?? before?.status ?? 'succeeded',
    metadata: before?.metadata ?? {},
  };
  store.refunds.set(id, refund);

  return { ...reported, ...writeRefund(refund) };
}

function intentOf(
  store: StripeStore,
  { payment_intent: id, charge }: { readonly payment_intent?: string; readonly charge?: string },
): PaymentIntent {
  if (id !== undefined) {
    return requireIntent(store, id);
  }
  const intent = [...store.paymentIntents.values()].find(
    ({ latestCharge }) => latestCharge !== null && latestCharge === charge,
  );
  if (charge === undefined) {
    throw new StripeError(
      400,
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  }
  if (intent === undefined) {
    throw noSuch('charge', charge, { param: 'charge', inPath: false });
  }

  return intent;
}

/** A charge that a dispute has withdrawn cannot be refunded too. */
function isWithdrawn(store: StripeStore, chargeId: string): boolean {
  return [...store.disputes.values()].some(
    ({ charge, is_charge_refundable: isRefundable }) => charge === chargeId && !isRefundable,
  );
}

export const refundRoutes = [
  stripeRoute({
    method: 'POST',
    path: '/v1/refunds',
    params: createParams,
    run: (store, params) => {
      const intent = intentOf(store, params);
      const charge = intent.latestCharge;
      if (intent.status !== 'succeeded' || charge === null) {
        throw new StripeError(
          400,
          `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
        );
      }
      const left = intent.amount - refundedCents(store, charge);
      if (left < 1) {
        throw new StripeError(400, `Charge ${charge} has already been refunded.`, {
          code: 'charge_already_refunded',
        });
      }
      if (isWithdrawn(store, charge)) {
        throw new StripeError(
          400,
          `Charge ${charge} has been charged back; cannot issue a refund.`,
          {
            code: 'charge_disputed',
          },
        );
      }
      const amount = params.amount ?? left;
      if (amount > left) {
        const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
        throw new StripeError(
          400,
          `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
          { param: 'amount' },
        );
      }
      const refund: Refund = {
        id: `re_3${randomText(23)}`,
        created: nowSeconds(store),
        amount,
        currency: intent.currency,
        paymentIntent: intent.id,
        charge,
        reason: params.reason ?? null,
        status: 'succeeded',
        metadata: changeMetadata({}, params.metadata),
      };
      store.refunds.set(refund.id, refund);
      store.emit('refund.created', writeRefund(refund));
      store.emit('charge.refunded', findCharge(store, charge) ?? {});

      return writeRefund(refund);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/refunds',
    params: { ...listParams, charge: identifier, payment_intent: identifier },
    run: (store, params) => {
      const refunds = [...store.refunds.values()].filter(
        ({ charge, paymentIntent }) =>
          (params.charge === undefined || charge === params.charge) &&
          (params.payment_intent === undefined || paymentIntent === params.payment_intent),
      );

      return pageOf(refunds, params, '/v1/refunds', writeRefund);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/refunds/:id',
    params: {},
    run: (store, _params, id) => {
      const refund = store.refunds.get(id);
      if (refund === undefined) {
        throw noSuch('refund', id, { param: 'refund', inPath: true });
      }

      return writeRefund(refund);
    },
  }),
];
