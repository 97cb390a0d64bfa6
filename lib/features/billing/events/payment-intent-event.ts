import type { PaymentEvent } from '#lib/features/billing/payment-event.ts';
import { findPayment } from '#lib/features/billing/payments/payment-record.ts';
import {
  creditPayment,
  failPayment,
} from '#lib/features/billing/payments/record-payment-outcome.ts';
import { readPayment } from '#lib/vendors/stripe/payments.ts';

/** Settles the payment that an event concerns, if it is ours and not settled yet. */
export async function handlePaymentIntentEvent({
  objectId,
  metadata,
}: PaymentEvent): Promise<void> {
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
