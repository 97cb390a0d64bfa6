/** The events of the payment provider that something here depends on. Others are acknowledged. */
const paymentEventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
] as const;

export type PaymentEventType = (typeof paymentEventTypes)[number];

export function isHandledEvent(type: string): type is PaymentEventType {
  return paymentEventTypes.some((one) => one === type);
}
