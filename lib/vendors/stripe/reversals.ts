import { callProvider } from './stripe-client.ts';

/** The amount of a payment that was taken back, in cents. */
export type Reversals = {
  readonly refundedCents: number;
  /** The amount withdrawn by disputes that are open or lost. */
  readonly disputedCents: number;
  /** True while a dispute is open. */
  readonly isDisputed: boolean;
};

const openStatuses: ReadonlySet<string> = new Set(['needs_response', 'under_review']);

/**
 * An appeal follows a lost dispute. Inquiries (`warning_…`) and prevented disputes withdraw
 * nothing.
 */
const withdrawnStatuses: ReadonlySet<string> = new Set([
  ...openStatuses,
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

/** Returns the current refunds and disputes of a payment. */
export async function readReversals(intentId: string): Promise<Reversals> {
  const query = { payment_intent: intentId, limit: 100 };
  const [charges, disputes] = await Promise.all([
    callProvider((stripe) => stripe.charges.list(query)),
    callProvider((stripe) => stripe.disputes.list(query)),
  ]);
  const withdrawn = disputes.data.filter(({ status }) => withdrawnStatuses.has(status));

  return {
    refundedCents: sumOf(charges.data.map(({ amount_refunded: refunded }) => refunded)),
    disputedCents: sumOf(withdrawn.map(({ amount }) => amount)),
    isDisputed: disputes.data.some(({ status }) => openStatuses.has(status)),
  };
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Returns the invoice that a payment has paid, or `undefined` if there is none. */
export async function findInvoiceOfPayment(intentId: string): Promise<string | undefined> {
  const { data } = await callProvider((stripe) =>
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intentId },
      limit: 1,
    }),
  );
  const invoice = data[0]?.invoice;

  return typeof invoice === 'string' ? invoice : invoice?.id;
}
