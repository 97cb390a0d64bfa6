import { id, text } from './common.ts';
import { contract, openToAll } from './contract.ts';
import { platformInPath } from './platform-path.ts';
import { challengeCode, crcToken } from './webhook-challenges.ts';
import * as z from './zod.ts';

const accountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const anything = (example: string) => text({ max: 2_048, example }).optional();

const accountInPath = z.object({ account_id: accountId });

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

const invalidSignature = {
  kind: 'unauthorized',
  when: 'The signature does not match the body.',
  message: 'Invalid signature',
} as const;

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
  extension: true,
  idempotent: false,
  params: platformInPath,
  response: received,
  errors: ['badRequest', invalidSignature, 'payloadTooLarge', 'upstream'],
});

export const answerNetworkChallenge = contract({
  operationId: 'answerNetworkChallenge',
  area: 'social',
  method: 'GET',
  path: '/webhooks/{platform}',
  summary: 'Verify the webhook of a social network',
  description:
    'Answers the verification challenge of each network: `hub.*` for Meta and WebSub, `crc_token` for X and `challengeCode` for LinkedIn. TikTok has none.',
  access: openToAll,
  rateLimit: 'webhooks',
  extension: true,
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
  errors: ['badRequest', 'forbidden', 'upstream'],
});

export const verifyAccountWebhook = contract({
  operationId: 'verifyAccountWebhook',
  area: 'social',
  method: 'GET',
  path: '/social/accounts/{account_id}/webhook/verify',
  summary: 'Verify the webhook of a social account',
  description: 'Called by the network, without a user. The token must match the subscription.',
  access: openToAll,
  rateLimit: 'webhooks',
  envelope: 'raw',
  contentType: 'text/plain; charset=utf-8',
  params: accountInPath,
  query: z.object({
    'hub.mode': text({ min: 1, max: 100, example: 'subscribe' }),
    'hub.challenge': text({ min: 1, max: 2_048, example: '1158201444' }),
    'hub.verify_token': text({ min: 1, max: 2_048, example: 'a-token-of-mine' }),
  }),
  response: z.object({}).meta({ description: 'The challenge.', example: '1158201444' }),
  errors: ['forbidden', 'notFound'],
});

export const receiveAccountEvents = contract({
  operationId: 'receiveAccountEvents',
  area: 'social',
  method: 'POST',
  path: '/social/accounts/{account_id}/webhook/verify',
  role: 'sender',
  summary: 'Receive events of a social account',
  description: delivered,
  access: openToAll,
  rateLimit: 'webhooks',
  extension: true,
  idempotent: false,
  params: accountInPath,
  response: received,
  errors: ['badRequest', invalidSignature, 'notFound', 'payloadTooLarge', 'upstream'],
});

export const socialWebhookContracts = [
  receiveNetworkEvents,
  answerNetworkChallenge,
  verifyAccountWebhook,
  receiveAccountEvents,
] as const;
