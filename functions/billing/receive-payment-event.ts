import { receivePaymentEvent } from '#lib/features/billing/events/receive-payment-event.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { webhookBody } from '#lib/platform/http/raw-body.ts';
import * as contracts from '#schemas/billing.ts';

export const handler = publicEndpoint(contracts.receivePaymentEvent, async ({ event }) => {
  await receivePaymentEvent(event.headers['stripe-signature'], webhookBody(event));

  return { received: true };
});
