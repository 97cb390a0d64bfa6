import { readPayment } from '#lib/vendors/stripe/payments.ts';
import { findPayment } from './payment-record.ts';
import { creditPayment, failPayment } from './record-payment-outcome.ts';

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
