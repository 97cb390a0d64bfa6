import {
  AlreadyInLedgerError,
  addCredits,
  BalanceMissingError,
} from '#lib/features/billing/ledger/ledger.ts';
import { dollarsOf } from '#lib/features/billing/money.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { type Write, write } from '#lib/platform/db/write.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { readPayment, refundPayment } from '#lib/vendors/stripe/payments.ts';
import { afterRefill, failRefill } from './end-refill.ts';
import {
  describePayment,
  findPayment,
  PaymentChangedError,
  type PaymentFailure,
  type PaymentRecord,
  planOutcome,
} from './payment-record.ts';

/**
 * Credits or fails one of our payments according to its state at the provider, unless it was
 * already credited.
 */
export async function followPaymentState(
  organizationId: string,
  paymentId: string,
  intentId: string,
): Promise<void> {
  const payment = await findPayment(organizationId, paymentId);
  if (!payment || payment.status === 'SUCCEEDED' || payment.status === 'REFUNDED') {
    return;
  }
  const state = await readPayment(intentId);
  if (state?.paymentId !== payment.paymentId) {
    return;
  }
  if (state.status === 'succeeded') {
    await creditPayment(payment, state.intentId);
  } else if (state.status === 'failed') {
    await failPayment(payment, {
      reason: state.reason ?? 'The payment was never made',
      declined: state.reason !== undefined,
      needsAction: state.needsAction,
    });
  }
}

/**
 * Credits a successful payment exactly once, even with concurrent or repeated calls. Refunds it if
 * the organization no longer has a balance.
 */
export async function creditPayment(payment: PaymentRecord, intentId: string): Promise<void> {
  if (payment.status === 'SUCCEEDED' || payment.status === 'REFUNDED') {
    return;
  }
  try {
    await addPaymentCredits(payment, intentId);
  } catch (failure) {
    if (failure instanceof PaymentChangedError) {
      await creditCurrentState(payment, intentId);
    } else if (failure instanceof BalanceMissingError) {
      await refund(payment, intentId);
    } else if (!(failure instanceof AlreadyInLedgerError)) {
      throw failure;
    }
  }
}

/**
 * Retries with the current state. This happens at most twice, because a payment can fail and later
 * succeed.
 */
async function creditCurrentState(payment: PaymentRecord, intentId: string): Promise<void> {
  const current = await findPayment(payment.organizationId, payment.paymentId);
  if (current) {
    await creditPayment(current, intentId);
  }
}

async function addPaymentCredits(payment: PaymentRecord, intentId: string): Promise<void> {
  const { organizationId, paymentId, kind, credits, amountCents, paymentMethod, actorId } = payment;
  const isRefillInFlight = kind === 'auto_refill' && payment.status === 'PENDING';
  const entry = {
    id: paymentId,
    type: kind,
    credits,
    amountCents,
    description: describePayment(payment),
    reference: intentId,
    ...(paymentMethod ? { paymentMethod } : {}),
  };
  const audit = actorId
    ? planAudit(organizationId, {
        action: 'billing.credits_purchased',
        actorId,
        targetId: paymentId,
        details: { amount: dollarsOf(amountCents), credits },
      })
    : [];
  await addCredits(organizationId, entry, isRefillInFlight ? afterRefill() : {}, [
    planOutcome(payment, { status: 'SUCCEEDED', intentId }),
    ...audit,
  ]);
}

/** Refunds the payment, because the organization was deleted. */
async function refund(payment: PaymentRecord, intentId: string): Promise<void> {
  await refundPayment(intentId);
  logger.warn('A payment of an organization that is gone was given back', { intentId });
  await writeUnlessChanged(planOutcome(payment, { status: 'REFUNDED', intentId }));
}

/**
 * Records that a payment failed. A failed refill may be retried later, according to its own rules.
 */
export async function failPayment(payment: PaymentRecord, failure: PaymentFailure): Promise<void> {
  if (payment.status !== 'PENDING') {
    return;
  }
  if (payment.kind === 'auto_refill') {
    await failRefill(payment, failure);
  } else {
    const { reason, needsAction } = failure;
    await writeUnlessChanged(
      planOutcome(payment, { status: 'FAILED', reason, ...(needsAction && { needsAction }) }),
    );
  }
}

async function writeUnlessChanged(single: Write): Promise<void> {
  try {
    await write(single);
  } catch (failure) {
    if (!(failure instanceof PaymentChangedError)) {
      throw failure;
    }
  }
}
