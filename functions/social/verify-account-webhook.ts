import { verifySubscription } from '#lib/features/intake/answer-challenge.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { verifyAccountWebhook } from '#schemas/social-webhooks.ts';

export const handler = endpoint(verifyAccountWebhook, async ({ params, query }) => ({
  statusCode: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: await verifySubscription(params.account_id, {
    mode: query['hub.mode'],
    challenge: query['hub.challenge'],
    verifyToken: query['hub.verify_token'],
  }),
}));
