import {
  id,
  maxLength,
  optional,
  orNull,
  pagination,
  paginationQuery,
  text,
  timestamp,
  total,
} from './common.ts';
import { contract, memberOfPath, peopleOnly } from './contract.ts';
import { eventTypes } from './event-types.ts';
import { delivery, deliveryNotReplayable, webhookSecret, webhookUrl } from './webhooks.ts';
import * as z from './zod.ts';

const webhookId = id('0192f0c4-3c4f-77a8-b9ca-6f708192a3b4');
const description = text({ max: maxLength.description, example: 'Sends leads to our CRM' });

const eventName = z.enum(['*', ...eventTypes]).meta({ id: 'EventName', example: 'lead.created' });
const wantedEvents = z
  .array(eventName)
  .min(1)
  .max(50)
  .meta({ example: ['lead.created'], description: 'Event types, or `*` for all' });

export const organizationWebhook = z
  .object({
    id: webhookId,
    url: webhookUrl,
    events: z.array(eventName),
    description: orNull(description),
    isActive: z.boolean().meta({ example: true }),
    disabledReason: orNull(
      z.string().meta({ example: null, description: 'Why we switched the webhook off' }),
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'OrganizationWebhook' });

const access = memberOfPath('ADMIN', 'Only owners and admins can manage webhooks');
const common = { access } as const;

export const createOrganizationWebhook = contract({
  ...common,
  operationId: 'createOrganizationWebhook',
  access: peopleOnly(access),
  method: 'POST',
  path: '/organizations/{organization_id}/webhooks',
  summary: 'Create a webhook for the events of an organization',
  description: 'Events are signed according to Standard Webhooks. The secret is shown only once.',
  body: z.object({
    url: webhookUrl,
    events: wantedEvents,
    description: optional(description),
  }),
  status: 201,
  response: z.object({ webhook: organizationWebhook.extend({ webhookSecret }) }),
  message: 'Webhook created successfully',
  errors: ['QUOTA_EXCEEDED'],
});

export const listOrganizationWebhooks = contract({
  ...common,
  operationId: 'listOrganizationWebhooks',
  path: '/organizations/{organization_id}/webhooks',
  summary: 'List the webhooks of an organization',
  response: z.object({ webhooks: z.array(organizationWebhook), total }),
  message: 'Webhooks retrieved successfully',
});

export const updateOrganizationWebhook = contract({
  ...common,
  operationId: 'updateOrganizationWebhook',
  method: 'PATCH',
  path: '/organizations/{organization_id}/webhooks/{webhook_id}',
  summary: 'Update a webhook, or switch it on or off',
  description:
    'A new `url` keeps the secret, and needs a signed-in user. Events are not kept while a webhook is off.',
  body: z.object({
    url: webhookUrl.optional(),
    events: wantedEvents.optional(),
    description: optional(description),
    isActive: z.boolean().meta({ example: true }).optional(),
  }),
  response: z.object({ webhook: organizationWebhook }),
  message: 'Webhook updated successfully',
  errors: ['PERSON_REQUIRED', 'WEBHOOK_NOT_FOUND'],
});

export const deleteOrganizationWebhook = contract({
  ...common,
  operationId: 'deleteOrganizationWebhook',
  method: 'DELETE',
  path: '/organizations/{organization_id}/webhooks/{webhook_id}',
  summary: 'Delete a webhook',
  message: 'Webhook deleted successfully',
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const rotateOrganizationWebhookSecret = contract({
  ...common,
  operationId: 'rotateOrganizationWebhookSecret',
  access: peopleOnly(access),
  method: 'POST',
  path: '/organizations/{organization_id}/webhooks/{webhook_id}/rotate-secret',
  summary: 'Replace the secret of a webhook',
  description: 'For 24 hours, events are also signed with the previous secret.',
  response: z.object({ webhookSecret }),
  message: 'Secret replaced successfully',
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const testOrganizationWebhook = contract({
  ...common,
  operationId: 'testOrganizationWebhook',
  method: 'POST',
  path: '/organizations/{organization_id}/webhooks/{webhook_id}/test',
  role: 'sender',
  summary: 'Send a `webhook.test` event to a webhook',
  description:
    'Sent even if the webhook does not list this event. The webhook must be switched on.',
  response: z.object({ delivery }),
  message: 'Test event sent',
  errors: ['WEBHOOK_NOT_FOUND', { code: 'WRONG_STATE', when: 'The webhook is switched off.' }],
});

export const listOrganizationWebhookDeliveries = contract({
  ...common,
  operationId: 'listOrganizationWebhookDeliveries',
  path: '/organizations/{organization_id}/webhooks/{webhook_id}/deliveries',
  summary: 'List deliveries of a webhook from the last 30 days, newest first',
  query: z.object(paginationQuery),
  response: z.object({ deliveries: z.array(delivery), pagination }),
  message: 'Deliveries retrieved successfully',
  errors: ['WEBHOOK_NOT_FOUND'],
});

export const replayOrganizationWebhookDelivery = contract({
  ...common,
  operationId: 'replayOrganizationWebhookDelivery',
  method: 'POST',
  path: '/organizations/{organization_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  role: 'sender',
  summary: 'Replay a delivery of a webhook',
  description: 'Keeps the same `webhook-id` and restarts all delivery attempts.',
  response: z.object({ delivery }),
  message: 'Delivery restarted',
  errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', deliveryNotReplayable],
});
