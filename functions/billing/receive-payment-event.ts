import { receivePaymentEvent } from '#lib/features/billing/events/receive-payment-event.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { webhookBody } from '#lib/platform/http/raw-body.ts';
import * as contracts from '#schemas/billing.ts';

export const handler = endpoint(contracts.receivePaymentEvent, async ({ event }) => {
  await receivePaymentEvent(event.headers['stripe-signature'], webhookBody(event));

  return { received: true };
});
