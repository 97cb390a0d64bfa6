import { followPaymentState } from '#lib/features/billing/payments/record-payment-outcome.ts';
import { followReversals } from '#lib/features/billing/reversals/follow-reversals.ts';
import { creditAllowance } from '#lib/features/billing/subscriptions/credit-allowance.ts';
import { followSubscription } from '#lib/features/billing/subscriptions/follow-subscription.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import type { PaymentEvent, PaymentEventType } from '#schemas/payment-event.ts';

/**
 * Handlers by event type. Events arrive late, twice, and in any order. So each handler reads the
 * current state from the provider and performs only the missing steps.
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
  'charge.refunded': followReversals,
  'charge.refund.updated': followReversals,
  'refund.created': followReversals,
  'refund.updated': followReversals,
  'refund.failed': followReversals,
  'charge.dispute.created': followReversals,
  'charge.dispute.updated': followReversals,
  'charge.dispute.closed': followReversals,
  'charge.dispute.funds_withdrawn': followReversals,
  'charge.dispute.funds_reinstated': followReversals,
};

export async function handlePaymentEvent({
  payload,
}: WorkRequest<'paymentEvent'>): Promise<'done'> {
  await handlers[payload.type](payload);

  return 'done';
}

async function handlePaymentIntentEvent({ objectId, metadata }: PaymentEvent): Promise<void> {
  const { organization_id: organizationId, payment_id: paymentId } = metadata;
  if (organizationId && paymentId) {
    await followPaymentState(organizationId, paymentId, objectId);
  }
}
