import { readPayment } from '#lib/vendors/stripe/payments.ts';
import { findPayment } from './payment-record.ts';
import { creditPayment, failPayment } from './record-payment-outcome.ts';

/** Settles a payment according to its state at the provider, if it is ours and not settled yet. */
export async function settlePayment(
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
    });
  }
}
