import type { CardUsed } from '#lib/features/billing/ledger/ledger.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { dueIn } from '#lib/platform/db/due-work.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';

/**
 * A payment that the provider is asked for. It is written before the provider is, and says in the
 * end what became of it. While it is pending it is due to be looked into.
 */
export type PaymentRecord = {
  /** Also the id of the ledger entry that it ends in. */
  readonly paymentId: string;
  readonly organizationId: string;
  readonly customerId: string;
  readonly kind: 'credit_purchase' | 'auto_refill';
  readonly amountCents: number;
  readonly credits: number;
  /** `REFUNDED`: it succeeded when there was nobody left to credit. */
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'REFUNDED';
  readonly createdAt: string;
  /** Who bought; a refill has nobody. */
  readonly actorId?: string;
  readonly paymentMethod?: CardUsed;
  /** Which of the organization's refills it is. */
  readonly refillSeq?: number;
  /** The provider's own id of the payment. */
  readonly intentId?: string;
  readonly reason?: string;
};

/** For so long the call that asked for a payment may still be at it. */
const leftAloneMs = 30_000;

/** Writes a payment down, to be looked into soon where nobody has said what became of it. */
export function planPayment(payment: PaymentRecord): Write {
  return create(keys.payment(payment.organizationId, payment.paymentId), {
    ...payment,
    ...dueIn('RECONCILE', timestamp(leftAloneMs)),
  });
}

export function findPayment(
  organizationId: string,
  paymentId: string,
): Promise<PaymentRecord | undefined> {
  return get<PaymentRecord>(keys.payment(organizationId, paymentId));
}

/** What a payment is called, at the provider and in the ledger. */
export function describePayment({ kind, credits }: PaymentRecord): string {
  return kind === 'auto_refill' ? `Refill of ${credits} credits` : `Purchase of ${credits} credits`;
}

/** The payment does not stand as it did when it was read. */
export class PaymentMovedOn extends Error {
  constructor() {
    super('The payment has been settled meanwhile');
    this.name = 'PaymentMovedOn';
  }
}

/** A settled payment is kept so long, to be looked at. */
const keptDays = 30;

/** Writes down how a payment ended, if it still stands as it was read. It is not due any more. */
export function planOutcome(
  { organizationId, paymentId, status }: PaymentRecord,
  outcome: Pick<PaymentRecord, 'status' | 'intentId' | 'reason'>,
): Write {
  return change(keys.payment(organizationId, paymentId), {
    set: {
      ...outcome,
      settledAt: timestamp(),
      duePk: null,
      dueAt: null,
      expiresAtSeconds: epochSeconds((keptDays * dayMs) / 1_000),
    },
    when: equals('status', status),
    refused: () => new PaymentMovedOn(),
  });
}

export type PaymentFailure = {
  readonly reason: string;
  /** The card was refused; otherwise the payment was never made. */
  readonly declined: boolean;
};
