import type { CardUsed } from '#lib/features/billing/ledger/ledger.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';

/**
 * A payment, stored before the provider is called and updated with its outcome. A pending payment
 * is due for reconciliation.
 */
export type PaymentRecord = {
  /** Also the id of the resulting ledger entry. */
  readonly paymentId: string;
  readonly organizationId: string;
  readonly customerId: string;
  readonly kind: 'credit_purchase' | 'auto_refill';
  readonly amountCents: number;
  readonly credits: number;
  /** `REFUNDED`: the payment succeeded after the organization was deleted. */
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'REFUNDED';
  readonly createdAt: string;
  /** The buyer. Absent for refills. */
  readonly actorId?: string;
  readonly paymentMethod?: CardUsed;
  readonly refillSeq?: number;
  /** The provider's id of the payment. */
  readonly intentId?: string;
  readonly reason?: string;
  /** True if the customer would have had to confirm the payment. */
  readonly needsAction?: boolean;
};

/** Gives the request that started the payment time to finish before reconciliation. */
const gracePeriodMs = 30_000;

/**
 * Stores a payment and schedules its reconciliation, in case its request never records the outcome.
 */
export function planPayment(payment: PaymentRecord): Write {
  return create(billingKeys.payment(payment.organizationId, payment.paymentId), {
    ...payment,
    ...dueIn('RECONCILE', timestamp(gracePeriodMs)),
  });
}

export function findPayment(
  organizationId: string,
  paymentId: string,
): Promise<PaymentRecord | undefined> {
  return get<PaymentRecord>(billingKeys.payment(organizationId, paymentId));
}

export function describePayment({ kind, credits }: PaymentRecord): string {
  return kind === 'auto_refill' ? `Refill of ${credits} credits` : `Purchase of ${credits} credits`;
}

export class PaymentChangedError extends Error {
  constructor() {
    super('The payment was already resolved by another process');
    this.name = 'PaymentChangedError';
  }
}

/** Retention of finished payments, for support. */
const retentionDays = 30;

/**
 * Records the outcome of a payment, unless it changed since it was read. Also cancels its
 * reconciliation.
 */
export function planOutcome(
  { organizationId, paymentId, status }: PaymentRecord,
  outcome: Pick<PaymentRecord, 'status' | 'intentId' | 'reason' | 'needsAction'>,
): Write {
  return change(billingKeys.payment(organizationId, paymentId), {
    set: {
      ...outcome,
      settledAt: timestamp(),
      duePk: null,
      dueAt: null,
      expiresAtSeconds: epochSeconds((retentionDays * dayMs) / 1_000),
    },
    when: equals('status', status),
    onConditionFailed: () => new PaymentChangedError(),
  });
}

export type PaymentFailure = {
  readonly reason: string;
  /** True if the card was declined. False if the payment was never made. */
  readonly declined: boolean;
  readonly needsAction?: boolean | undefined;
};
