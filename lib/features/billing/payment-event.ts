import type { WorkPayload } from '#schemas/messages.ts';
import {
  type PaymentEventType,
  paymentEventDelivery,
  paymentEventTypes,
} from '#schemas/payment-event.ts';

/**
 * The used part of an event: its kind and the id of its object. Events arrive late and in any
 * order, so the rest is read from Stripe when the event is processed.
 */
export type PaymentEvent = WorkPayload<'paymentEvent'>;

export type PaymentEventDelivery = Omit<PaymentEvent, 'type'> & {
  readonly id: string;
  readonly type: string;
};

/** Parses the body of a delivery. @throws ZodError or SyntaxError for anything but a Stripe event. */
export function parsePaymentEvent(body: Buffer): PaymentEventDelivery {
  return paymentEventDelivery.parse(JSON.parse(body.toString('utf8')));
}

export function isHandledEvent<E extends { readonly type: string }>(
  event: E,
): event is E & { readonly type: PaymentEventType } {
  return paymentEventTypes.some((type) => type === event.type);
}
