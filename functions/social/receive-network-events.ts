import { receiveEvents } from '#lib/features/intake/receive-events.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { webhookBody } from '#lib/platform/http/raw-body.ts';
import { platformNamed } from '#schemas/platform-path.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';

export const handler = endpoint(receiveNetworkEvents, async ({ params, event }) => ({
  received: await receiveEvents(platformNamed(params.platform), {
    rawBody: webhookBody(event),
    headers: event.headers,
  }),
}));
