import {
  id,
  maxLength,
  optional,
  orNull,
  pagination,
  paginationQuery,
  says,
  text,
  timestamp,
  webUrl,
} from './common.ts';
import { contract, memberOfCurrent } from './contract.ts';
import * as z from './zod.ts';

const accountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const deliveryId = id('0192f0c4-3c4d-7586-97a8-4d5e6f708192');

/** Which inbound messages of an account go on to a subscription's URL. */
export const webhookTopics = ['messages', 'comments', 'mentions', 'posts'] as const;
export type WebhookTopic = (typeof webhookTopics)[number];

/** `FAILED`: all tries are over. */
const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The URL that events are sent to, in every area. What it must not name is checked beside this. */
export const webhookUrl = webUrl.meta({
  example: 'https://hooks.example.com/social-leads',
  description: 'https, at a public address',
});

/** What signs the events, in the one answer that tells it. */
export const webhookSecret = orNull(
  z.string().meta({
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    description:
      'Signs the events after Standard Webhooks. It is told here and nowhere else. Null without a URL.',
  }),
);

/** An event on its way to a receiver, in every area. */
export const delivery = z.object({
  id: deliveryId.meta({ description: 'The `webhook-id` of every try' }),
  type: z.string().meta({ example: 'message.received' }),
  status: z.enum(deliveryStatuses).meta({ example: 'DELIVERED' }),
  attempts: z.int().meta({ example: 1 }),
  responseStatus: orNull(z.int().meta({ example: 200 })),
  failureReason: orNull(z.string().meta({ example: null })),
  nextAttemptAt: orNull(timestamp()),
  deliveredAt: orNull(timestamp()),
  createdAt: timestamp(),
});

const accountInPath = z.object({ account_id: accountId });
const topic = z.enum(webhookTopics).meta({ example: 'messages' });

export const subscribeAccountWebhook = contract({
  operationId: 'subscribeAccountWebhook',
  area: 'social',
  method: 'POST',
  path: '/social/accounts/{account_id}/webhook',
  summary: "Send an account's events on to a URL",
  description:
    'An account has one subscription: another call replaces it, and its secret; events are signed with the former secret too for 24 hours. Without `events`, all are sent on; without `webhookUrl`, none is, and only the handshake is answered.',
  access: memberOfCurrent('ADMIN'),
  params: accountInPath,
  body: z.object({
    webhookUrl: optional(webhookUrl),
    events: optional(
      z
        .array(topic)
        .max(20)
        .meta({ example: [...webhookTopics] }),
    ),
    verifyToken: optional(text({ min: 1, max: maxLength.token, example: 'a-token-of-mine' })),
  }),
  status: 201,
  response: z.object({
    webhook: z.object({
      id: id('0192f0c4-3c4e-7697-a8b9-5e6f70819203'),
      socialAccountId: accountId,
      webhookUrl: orNull(webhookUrl),
      events: z.array(topic),
      verifyToken: z.string().meta({ example: 'a-token-of-mine' }),
      isActive: z.boolean().meta({ example: true }),
      createdAt: timestamp(),
      webhookSecret,
    }),
    message: says('Webhook subscription created successfully'),
  }),
  errors: ['notFound'],
});

export const listAccountDeliveries = contract({
  operationId: 'listAccountDeliveries',
  area: 'social',
  method: 'GET',
  path: '/social/accounts/{account_id}/deliveries',
  summary: "List the last 30 days' events of an account with what became of them, newest first",
  access: memberOfCurrent('VIEWER'),
  extension: true,
  params: accountInPath,
  query: z.object(paginationQuery),
  response: z.object({
    deliveries: z.array(delivery),
    pagination,
    message: says('Deliveries retrieved successfully'),
  }),
  errors: ['notFound'],
});

export const replayAccountDelivery = contract({
  operationId: 'replayAccountDelivery',
  area: 'social',
  method: 'POST',
  path: '/social/accounts/{account_id}/deliveries/{delivery_id}/replay',
  summary: 'Send an event again',
  description: 'Under the same `webhook-id`, with all tries anew.',
  access: memberOfCurrent('ADMIN'),
  extension: true,
  params: accountInPath.extend({ delivery_id: deliveryId }),
  response: z.object({ delivery, message: says('Delivery restarted') }),
  errors: ['notFound', 'conflict'],
});

export const webhookContracts = [
  subscribeAccountWebhook,
  listAccountDeliveries,
  replayAccountDelivery,
] as const;
