import { verifySubscription } from '#lib/features/intake/answer-challenge.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { verifyAccountWebhook } from '#schemas/social-webhooks.ts';

export const handler = publicEndpoint(verifyAccountWebhook, async ({ params, query }) => ({
  statusCode: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: await verifySubscription(params.account_id, {
    mode: query['hub.mode'],
    challenge: query['hub.challenge'],
    verifyToken: query['hub.verify_token'],
  }),
}));
