import type { PaymentEvent } from '#lib/features/billing/payment-event.ts';
import { findPayment } from '#lib/features/billing/payments/payment-record.ts';
import {
  creditPayment,
  failPayment,
} from '#lib/features/billing/payments/record-payment-outcome.ts';
import { creditAllowance } from '#lib/features/billing/subscriptions/credit-allowance.ts';
import { followSubscription } from '#lib/features/billing/subscriptions/follow-subscription.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { readPayment } from '#lib/vendors/stripe/payments.ts';
import type { PaymentEventType } from '#schemas/payment-event.ts';

/**
 * Handlers by event type. Events arrive late, twice, and in any order, so each handler reads the
 * current state from the provider and does only what is still missing.
 */
const handlers: Readonly<Record<PaymentEventType, (event: PaymentEvent) => Promise<void>>> = {
  'payment_intent.succeeded': handlePaymentIntentEvent,
  'payment_intent.payment_failed': handlePaymentIntentEvent,
  'payment_intent.canceled': handlePaymentIntentEvent,
  'customer.subscription.created': followSubscription,
  'customer.subscription.updated': followSubscription,
  'customer.subscription.deleted': followSubscription,
  'customer.subscription.paused': followSubscription,
  'customer.subscription.resumed': followSubscription,
  'invoice.paid': creditAllowance,
};

export async function handlePaymentEvent({
  payload,
}: WorkRequest<'paymentEvent'>): Promise<'done'> {
  await handlers[payload.type](payload);

  return 'done';
}

/** Settles the payment that an event concerns, if it is ours and not settled yet. */
async function handlePaymentIntentEvent({ objectId, metadata }: PaymentEvent): Promise<void> {
  const { organization_id: organizationId, payment_id: paymentId } = metadata;
  const payment =
    organizationId && paymentId ? await findPayment(organizationId, paymentId) : undefined;
  if (!payment || payment.status === 'SUCCEEDED' || payment.status === 'REFUNDED') {
    return;
  }
  const state = await readPayment(objectId);
  if (state?.paymentId !== payment.paymentId) {
    return;
  }
  if (state.status === 'succeeded') {
    await creditPayment(payment, state.intentId);
  } else if (state.status === 'failed') {
    await failPayment(payment, {
      reason: state.reason ?? 'The payment was never made',
      declined: state.reason !== undefined,
    });
  }
}
