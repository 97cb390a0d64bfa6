import { endpoint } from '#lib/http/endpoint.ts';
import { boundedRawBody } from '#lib/http/middleware/validate.ts';
import { platformNamed, receiveEvents } from '#lib/social/intake/receive-events.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';

export const handler = endpoint(receiveNetworkEvents, async ({ params, event }) => ({
  received: await receiveEvents(platformNamed(params.platform), {
    rawBody: boundedRawBody(event),
    headers: event.headers,
  }),
}));
