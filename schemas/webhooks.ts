import {
  id,
  maxLength,
  optional,
  orNull,
  pagination,
  paginationQuery,
  text,
  timestamp,
  webUrl,
} from './common.ts';
import { contract, memberOfCurrent, type OwnRefusal, peopleOnly } from './contract.ts';
import * as z from './zod.ts';

const accountId = id('0192f0c3-2b3e-73a4-95b6-2b3c4d5e6f70');
const deliveryId = id('0192f0c4-3c4d-7586-97a8-4d5e6f708192');

/** Types of inbound events that a subscription can forward. */
export const webhookTopics = ['messages', 'comments', 'mentions', 'posts'] as const;
export type WebhookTopic = (typeof webhookTopics)[number];

/** `FAILED`: all attempts failed. */
const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** URL that receives events. `checkPublicUrl` also rejects private addresses. */
export const webhookUrl = webUrl.meta({
  example: 'https://hooks.example.com/social-leads',
  description: 'An https URL with a public address',
});

/** The signing secret. Only this response contains it. */
export const webhookSecret = orNull(
  z.string().meta({
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    description:
      'Signs events according to Standard Webhooks. Shown only once. Null without a URL.',
  }),
);

/** The 409 of a replay. */
export const deliveryNotReplayable = {
  code: 'WRONG_STATE',
  when: 'The delivery is in progress, or its content was erased.',
} as const satisfies OwnRefusal;

/** The delivery of an event to a webhook endpoint. */
export const delivery = z
  .object({
    id: deliveryId.meta({ description: 'The `webhook-id` of every attempt' }),
    type: z.string().meta({ example: 'message.received' }),
    status: z.enum(deliveryStatuses).meta({ example: 'DELIVERED' }),
    attempts: z.int().meta({ example: 1 }),
    responseStatus: orNull(z.int().meta({ example: 200 })),
    failureReason: orNull(z.string().meta({ example: null })),
    nextAttemptAt: orNull(timestamp()),
    deliveredAt: orNull(timestamp()),
    createdAt: timestamp(),
  })
  .meta({ id: 'WebhookDelivery' });

const topic = z.enum(webhookTopics).meta({ example: 'messages' });

export const subscribeAccountWebhook = contract({
  operationId: 'subscribeAccountWebhook',
  method: 'POST',
  path: '/social/accounts/{account_id}/webhook',
  specified: true,
  summary: 'Subscribe a webhook to the events of a social account',
  description:
    'An account has one subscription. Calling this again replaces it and its secret. For 24 hours, events are also signed with the previous secret. Without `events`, all events are forwarded. Without `webhookUrl`, no events are forwarded and only the verification challenge is answered.',
  access: peopleOnly(memberOfCurrent('ADMIN')),
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
  }),
  message: 'Webhook subscription created successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND'],
});

export const listAccountDeliveries = contract({
  operationId: 'listAccountDeliveries',
  path: '/social/accounts/{account_id}/deliveries',
  summary: 'List webhook deliveries of a social account from the last 30 days, newest first',
  access: memberOfCurrent('VIEWER'),
  query: z.object(paginationQuery),
  response: z.object({
    deliveries: z.array(delivery),
    pagination,
  }),
  message: 'Deliveries retrieved successfully',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND'],
});

export const replayAccountDelivery = contract({
  operationId: 'replayAccountDelivery',
  method: 'POST',
  path: '/social/accounts/{account_id}/deliveries/{delivery_id}/replay',
  role: 'sender',
  summary: 'Replay a webhook delivery of a social account',
  description: 'Keeps the same `webhook-id` and restarts all delivery attempts.',
  access: memberOfCurrent('ADMIN'),
  response: z.object({ delivery }),
  message: 'Delivery restarted',
  errors: ['SOCIAL_ACCOUNT_NOT_FOUND', 'DELIVERY_NOT_FOUND', deliveryNotReplayable],
});
