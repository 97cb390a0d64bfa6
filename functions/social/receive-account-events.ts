import { receiveEventsOfAccount } from '#lib/features/intake/receive-events.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { webhookBody } from '#lib/platform/http/raw-body.ts';
import { receiveAccountEvents } from '#schemas/social-webhooks.ts';

export const handler = publicEndpoint(receiveAccountEvents, async ({ params, event }) => ({
  received: await receiveEventsOfAccount(params.account_id, {
    rawBody: webhookBody(event),
    headers: event.headers,
  }),
}));
