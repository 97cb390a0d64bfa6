import { noSuch } from './errors.ts';
import { identifier, timeRange } from './params.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import { isWithin, type PaymentIntent, type StripeStore } from './store.ts';

type Charge = StripeObject & { readonly id: string };

/** Refunds in these states return no money. */
const failedStates: ReadonlySet<string> = new Set(['failed', 'canceled']);

/** Returns the refunded cents of a charge, including refunds that only an event reported. */
export function refundedCents(store: StripeStore, chargeId: string): number {
  const refunds = [...store.refunds.values()].filter(
    ({ charge, status }) => charge === chargeId && !failedStates.has(status),
  );
  const reported = Number(store.reportedCharges.get(chargeId)?.amount_refunded ?? 0);

  return Math.max(
    reported,
    refunds.reduce((sum, { amount }) => sum + amount, 0),
  );
}

/** Returns a charge as Stripe does, or undefined if there is none with that id. */
export function findCharge(store: StripeStore, id: string): Charge | undefined {
  const intent = [...store.paymentIntents.values()].find(({ latestCharge }) => latestCharge === id);
  const reported = store.reportedCharges.get(id);
  if (!intent && !reported) {
    return undefined;
  }
  const charge = { ...writeCharge(store, id, intent), ...reported };
  const refunded = refundedCents(store, id);

  return {
    ...charge,
    id,
    amount_refunded: refunded,
    refunded: refunded >= Number(charge.amount),
  };
}

/** Stores the fields of a charge from an event. The refunded amount never decreases. */
export function reportCharge(store: StripeStore, reported: StripeObject): StripeObject {
  const id = String(reported.id);
  const before = store.reportedCharges.get(id);
  const amountRefunded = Math.max(
    Number(before?.amount_refunded ?? 0),
    Number(reported.amount_refunded ?? 0),
  );
  store.reportedCharges.set(id, { ...before, ...reported, amount_refunded: amountRefunded });

  return findCharge(store, id) ?? reported;
}

function writeCharge(
  store: StripeStore,
  id: string,
  intent: PaymentIntent | undefined,
): StripeObject {
  const { amount = 0, created = 0 } = intent ?? {};

  return {
    id,
    object: 'charge',
    amount,
    amount_captured: amount,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: true,
    created,
    currency: intent?.currency ?? 'usd',
    customer: intent?.customer ?? null,
    description: intent?.description ?? null,
    disputed: [...store.disputes.values()].some(({ charge }) => charge === id),
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent?.metadata ?? {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: intent?.id ?? null,
    payment_method: intent?.paymentMethod ?? null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
}

/** Returns the charges of all payments, and those that a test created with an event. */
export function listCharges(store: StripeStore): readonly Charge[] {
  const ids = new Set([
    ...[...store.paymentIntents.values()].flatMap(({ latestCharge }) => latestCharge ?? []),
    ...store.reportedCharges.keys(),
  ]);

  return [...ids].flatMap((id) => findCharge(store, id) ?? []);
}

export const chargeRoutes = [
  stripeRoute({
    method: 'GET',
    path: '/v1/charges',
    params: {
      ...listParams,
      created: timeRange,
      customer: identifier,
      payment_intent: identifier,
    },
    run: (store, params) => {
      const charges = listCharges(store).filter(
        (charge) =>
          (params.customer === undefined || charge.customer === params.customer) &&
          (params.payment_intent === undefined ||
            charge.payment_intent === params.payment_intent) &&
          isWithin(Number(charge.created), params.created ?? {}),
      );

      return pageOf(charges, params, '/v1/charges', (charge) => charge);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/charges/:id',
    params: {},
    run: (store, _params, id) => {
      const charge = findCharge(store, id);
      if (charge === undefined) {
        throw noSuch('charge', id, { param: 'id', inPath: true });
      }

      return charge;
    },
  }),
];
