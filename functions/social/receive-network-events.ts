import { receiveEvents } from '#lib/features/intake/receive-events.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { webhookBody } from '#lib/platform/http/raw-body.ts';
import { platformNamed } from '#schemas/platform-path.ts';
import { receiveNetworkEvents } from '#schemas/social-webhooks.ts';

export const handler = publicEndpoint(receiveNetworkEvents, async ({ params, event }) => ({
  received: await receiveEvents(platformNamed(params.platform), {
    rawBody: webhookBody(event),
    headers: event.headers,
  }),
}));
