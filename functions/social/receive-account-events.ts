import { endpoint } from '#lib/http/endpoint.ts';
import { boundedRawBody } from '#lib/http/middleware/validate.ts';
import { receiveEventsOfAccount } from '#lib/social/intake/receive-events.ts';
import { receiveAccountEvents } from '#schemas/social-webhooks.ts';

export const handler = endpoint(receiveAccountEvents, async ({ params, event }) => ({
  received: await receiveEventsOfAccount(params.account_id, {
    rawBody: boundedRawBody(event),
    headers: event.headers,
  }),
}));
