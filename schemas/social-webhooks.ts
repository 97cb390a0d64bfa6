import { text } from './common.ts';
import { contract, htmlPage, openToAll } from './contract.ts';
import { metaPlatformInPath, platformInPath } from './platform-path.ts';
import { challengeCode, crcToken } from './webhook-challenges.ts';
import * as z from './zod.ts';

const anything = (example: string) => text({ max: 2_048, example }).optional();

/** Query parameters of Meta and WebSub. */
const hubQuery = {
  'hub.mode': anything('subscribe'),
  'hub.challenge': anything('1158201444'),
  'hub.verify_token': anything('a-token-of-mine'),
};

const received = z.object({
  received: z.int().meta({ example: 1, description: 'Number of new events' }),
});

const delivered =
  'Verifies the signature of the raw body. Events are deduplicated and processed asynchronously.';

export const receiveNetworkEvents = contract({
  operationId: 'receiveNetworkEvents',
  area: 'social',
  method: 'POST',
  path: '/webhooks/{platform}',
  role: 'sender',
  summary: 'Receive events of a social network',
  description: delivered,
  access: openToAll,
  rateLimit: 'webhooks',
  idempotent: false,
  params: platformInPath,
  response: received,
  errors: [
    'BODY_INVALID',
    'CAPABILITY_UNSUPPORTED',
    'SIGNATURE_INVALID',
    'BODY_TOO_LARGE',
    'SOCIAL_PLATFORM_UNAVAILABLE',
  ],
});

export const answerNetworkChallenge = contract({
  operationId: 'answerNetworkChallenge',
  area: 'social',
  path: '/webhooks/{platform}',
  summary: 'Verify the webhook of a social network',
  description:
    'Answers the verification challenge of each network: `hub.*` for Meta and WebSub, `crc_token` for X and `challengeCode` for LinkedIn. TikTok has none.',
  access: openToAll,
  rateLimit: 'webhooks',
  envelope: 'raw',
  contentType: '*/*',
  params: platformInPath,
  query: z.object({
    ...hubQuery,
    'hub.topic': anything('https://www.youtube.com/feeds/videos.xml?channel_id=UC0'),
    'hub.lease_seconds': anything('432000'),
    crc_token: crcToken.optional(),
    challengeCode: challengeCode.optional(),
    applicationId: anything('1234567'),
  }),
  response: z.object({}).meta({ description: 'The verification response.', example: '1158201444' }),
  errors: ['CAPABILITY_UNSUPPORTED', 'WEBHOOK_VERIFICATION_FAILED', 'SOCIAL_PLATFORM_UNAVAILABLE'],
});

export const verifyAccountWebhook = contract({
  operationId: 'verifyAccountWebhook',
  path: '/social/accounts/{account_id}/webhook/verify',
  specified: true,
  summary: 'Verify the webhook of a social account',
  description: 'Called by the network, without a user. The token must match the subscription.',
  access: openToAll,
  rateLimit: 'webhooks',
  envelope: 'raw',
  contentType: 'text/plain; charset=utf-8',
  query: z.object({
    'hub.mode': text({ min: 1, max: 100, example: 'subscribe' }),
    'hub.challenge': text({ min: 1, max: 2_048, example: '1158201444' }),
    'hub.verify_token': text({ min: 1, max: 2_048, example: 'a-token-of-mine' }),
  }),
  response: z.object({}).meta({ description: 'The challenge.', example: '1158201444' }),
  errors: ['WEBHOOK_VERIFICATION_FAILED', 'WEBHOOK_SUBSCRIPTION_NOT_FOUND'],
});

export const receiveAccountEvents = contract({
  operationId: 'receiveAccountEvents',
  method: 'POST',
  path: '/social/accounts/{account_id}/webhook/verify',
  role: 'sender',
  summary: 'Receive events of a social account',
  description: delivered,
  access: openToAll,
  rateLimit: 'webhooks',
  idempotent: false,
  response: received,
  errors: [
    'BODY_INVALID',
    'CAPABILITY_UNSUPPORTED',
    'SIGNATURE_INVALID',
    'WEBHOOK_SUBSCRIPTION_NOT_FOUND',
    'BODY_TOO_LARGE',
    'SOCIAL_PLATFORM_UNAVAILABLE',
  ],
});

const signed =
  "Receives Meta's form with `signed_request` as `application/x-www-form-urlencoded`, and verifies its signature with the secret of the app.";

export const receiveDeauthorization = contract({
  operationId: 'receiveDeauthorization',
  area: 'social',
  method: 'POST',
  path: '/webhooks/{platform}/deauthorize',
  role: 'sender',
  summary: "Receive a person's removal of the app at Facebook or Instagram",
  description: `${signed} The accounts that the person connected become inactive.`,
  access: openToAll,
  rateLimit: 'webhooks',
  idempotent: false,
  params: metaPlatformInPath,
  response: z.object({
    received: z.int().meta({ example: 1, description: 'Number of accounts' }),
  }),
  errors: ['SIGNATURE_INVALID', 'BODY_TOO_LARGE', 'SOCIAL_PLATFORM_UNAVAILABLE'],
});

export const receiveDataDeletion = contract({
  operationId: 'receiveDataDeletion',
  area: 'social',
  method: 'POST',
  path: '/webhooks/{platform}/data-deletion',
  role: 'sender',
  summary: "Receive a request to delete a person's data from Facebook or Instagram",
  description: `${signed} The data of the person is erased in every organization.`,
  access: openToAll,
  rateLimit: 'webhooks',
  idempotent: false,
  envelope: 'bare',
  params: metaPlatformInPath,
  response: z.object({
    url: z.string().meta({
      example: 'https://api.example.com/data-deletion/4f1c0d9e8b7a6f5e4d3c2b1a09f8e7d6',
      description: 'The page that shows the state of the request',
    }),
    confirmation_code: z.string().meta({ example: '4f1c0d9e8b7a6f5e4d3c2b1a09f8e7d6' }),
  }),
  errors: ['SIGNATURE_INVALID', 'BODY_TOO_LARGE', 'SOCIAL_PLATFORM_UNAVAILABLE'],
});

export const getDataDeletionPage = contract({
  operationId: 'getDataDeletionPage',
  area: 'social',
  path: '/data-deletion/{code}',
  summary: 'View the state of a data deletion request',
  description:
    'Shows the code, the state and the date, for a year. Unknown codes return a 404 page.',
  access: openToAll,
  rateLimit: 'publicPages',
  params: z.object({
    code: text({ min: 1, max: 100, example: '4f1c0d9e8b7a6f5e4d3c2b1a09f8e7d6' }),
  }),
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' }),
  otherResponses: [htmlPage(404, 'The code is unknown.')],
});
