import { receivePaymentEvent as take } from '#lib/billing/receive-payment-event.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { boundedRawBody } from '#lib/http/middleware/validate.ts';
import { receivePaymentEvent } from '#schemas/billing.ts';

export const handler = endpoint(receivePaymentEvent, async ({ event }) => {
  await take(event.headers['stripe-signature'], boundedRawBody(event));

  return { received: true };
});
