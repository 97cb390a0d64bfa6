import { receivePaymentEvent } from '#lib/billing/receive-payment-event.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { boundedRawBody } from '#lib/http/middleware/validate.ts';
import * as contracts from '#schemas/billing.ts';

export const handler = endpoint(contracts.receivePaymentEvent, async ({ event }) => {
  await receivePaymentEvent(event.headers['stripe-signature'], boundedRawBody(event));

  return { received: true };
});
