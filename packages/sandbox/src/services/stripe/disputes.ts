import type { DisputeBehavior } from './cards.ts';
import { findCharge } from './charges.ts';
import { noSuch, StripeError } from './errors.ts';
import { flag, identifier, metadata, notModelled, object, text, timeRange } from './params.ts';
import { listParams, pageOf, type StripeObject, stripeRoute } from './route.ts';
import {
  type Dispute,
  isWithin,
  nowSeconds,
  type PaymentIntent,
  randomText,
  type StripeStore,
} from './store.ts';

const evidenceTexts = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const;
const evidenceFiles = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const;

const ended: ReadonlySet<string> = new Set(['won', 'lost']);
const withoutWithdrawal = /^(?:warning_|prevented$)/;
const daySeconds = 86_400;

/** Formats a dispute as Stripe does. */
function writeDispute(dispute: Dispute): StripeObject {
  return dispute;
}

/** Disputes the charge of a payment, as its cardholder would. */
export function openDispute(
  store: StripeStore,
  intent: PaymentIntent,
  { reason, isInquiry = false }: DisputeBehavior,
): void {
  const dispute = newDispute(store, {
    id: `du_1${randomText(23)}`,
    charge: intent.latestCharge,
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  });
  put(store, dispute, 'created', ...(isInquiry ? [] : ['funds_withdrawn']));
}

/** Stores a dispute from an event. A dispute that has been won or lost keeps its status. */
export function reportDispute(store: StripeStore, reported: StripeObject): StripeObject {
  const id = String(reported.id ?? `du_1${randomText(23)}`);
  const before = store.disputes.get(id) ?? newDispute(store, { ...reported, id });
  const dispute = { ...before, ...reported, id } as Dispute;
  const after = ended.has(before.status) ? { ...dispute, status: before.status } : dispute;
  store.disputes.set(id, after);

  return after;
}

function newDispute(store: StripeStore, fields: StripeObject & { readonly id: string }): Dispute {
  const charge = findChargeOf(store, fields);
  const created = nowSeconds(store);

  return {
    object: 'dispute',
    amount: Number(charge?.amount ?? 0),
    balance_transactions: [],
    charge: charge?.id ?? null,
    created,
    currency: charge?.currency ?? 'usd',
    enhanced_eligibility_types: [],
    evidence: {
      ...Object.fromEntries([...evidenceTexts, ...evidenceFiles].map((name) => [name, null])),
      enhanced_evidence: {},
    },
    evidence_details: {
      due_by: created + 9 * daySeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: withoutWithdrawal.test(String(fields.status)),
    livemode: false,
    metadata: {},
    payment_intent: charge?.payment_intent ?? null,
    reason: 'fraudulent',
    status: 'needs_response',
    ...fields,
  };
}

function findChargeOf(store: StripeStore, fields: StripeObject): StripeObject | undefined {
  const { charge, payment_intent: intentId } = fields;
  const chargeId = charge ?? store.paymentIntents.get(String(intentId))?.latestCharge;

  return typeof chargeId === 'string' ? findCharge(store, chargeId) : undefined;
}

function put(store: StripeStore, dispute: Dispute, ...events: readonly string[]): Dispute {
  store.disputes.set(dispute.id, dispute);
  for (const event of events) {
    store.emit(`charge.dispute.${event}`, dispute);
  }

  return dispute;
}

function close(store: StripeStore, dispute: Dispute, status: 'won' | 'lost'): Dispute {
  const events = status === 'won' ? ['funds_reinstated'] : [];

  return put(store, { ...dispute, status }, 'updated', 'closed', ...events);
}

function requireDispute(store: StripeStore, id: string): Dispute {
  const dispute = store.disputes.get(id);
  if (dispute === undefined) {
    throw noSuch('dispute', id, { param: 'dispute', inPath: true });
  }

  return dispute;
}

function requireOpen(store: StripeStore, id: string): Dispute {
  const dispute = requireDispute(store, id);
  if (ended.has(dispute.status)) {
    throw new StripeError(400, 'This dispute is already closed');
  }

  return dispute;
}

/** Texts that decide a dispute in Stripe's test mode. */
const outcomes: Readonly<Record<string, 'won' | 'lost'>> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
};

const evidenceText = text(20_000);
const evidenceParams = {
  ...(Object.fromEntries(evidenceTexts.map((name) => [name, evidenceText])) as Record<
    (typeof evidenceTexts)[number],
    typeof evidenceText
  >),
  ...Object.fromEntries(evidenceFiles.map((name) => [name, notModelled])),
};

const updateParams = { evidence: object(evidenceParams), metadata, submit: flag };

export const disputeRoutes = [
  stripeRoute({
    method: 'GET',
    path: '/v1/disputes',
    params: {
      ...listParams,
      charge: identifier,
      created: timeRange,
      payment_intent: identifier,
    },
    run: (store, params) => {
      const disputes = [...store.disputes.values()].filter(
        (one) =>
          (params.charge === undefined || one.charge === params.charge) &&
          (params.payment_intent === undefined || one.payment_intent === params.payment_intent) &&
          isWithin(one.created, params.created ?? {}),
      );

      return pageOf(disputes, params, '/v1/disputes', writeDispute);
    },
  }),
  stripeRoute({
    method: 'GET',
    path: '/v1/disputes/:id',
    params: {},
    run: (store, _params, id) => writeDispute(requireDispute(store, id)),
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/disputes/:id',
    params: updateParams,
    run: (store, { evidence, submit }, id) => {
      const before = requireOpen(store, id);
      const dispute = {
        ...before,
        evidence: { ...(before.evidence as StripeObject), ...evidence },
        status: submit === false ? before.status : 'under_review',
      };
      const outcome = submit === false ? undefined : outcomes[evidence?.uncategorized_text ?? ''];

      return writeDispute(
        outcome ? close(store, dispute, outcome) : put(store, dispute, 'updated'),
      );
    },
  }),
  stripeRoute({
    method: 'POST',
    path: '/v1/disputes/:id/close',
    params: {},
    run: (store, _params, id) => writeDispute(close(store, requireOpen(store, id), 'lost')),
  }),
];
