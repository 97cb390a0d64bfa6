import { receiveEventsOfAccount } from '#lib/features/intake/receive-events.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { webhookBody } from '#lib/platform/http/raw-body.ts';
import { receiveAccountEvents } from '#schemas/social-webhooks.ts';

export const handler = endpoint(receiveAccountEvents, async ({ params, event }) => ({
  received: await receiveEventsOfAccount(params.account_id, {
    rawBody: webhookBody(event),
    headers: event.headers,
  }),
}));
