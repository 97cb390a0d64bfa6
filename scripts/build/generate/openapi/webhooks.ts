import * as z from 'zod';
import type { EventDefinition } from '#schemas/events.ts';
import type { Operation, Webhook } from './document.ts';
import { convertSchema } from './json-schema.ts';
import { type Gathered, gather } from './operation.ts';

const receivers = {
  campaign: "the campaign's `webhookUrl`",
  account: "the social account's `webhookUrl`",
} as const;

/** Describes the requests that this service sends to receivers. */
export function webhooksOf(
  events: Readonly<Record<string, EventDefinition>>,
  gathered: Gathered,
): Readonly<Record<string, Webhook>> {
  return Object.fromEntries(
    Object.entries(events).map(([type, event]) => [
      type,
      { post: deliveryOf(type, event, gathered) },
    ]),
  );
}

function deliveryOf(
  type: string,
  { from = [], summary, data }: EventDefinition,
  gathered: Gathered,
): Operation {
  const named = ['webhooks of the organization', ...from.map((source) => receivers[source])];
  const to = named.join(' and to ');
  const timestamp = z.iso.datetime().meta({ example: '2026-01-15T09:30:00.000Z' });
  const body = z.object({ type: z.literal(type), timestamp, data });

  return {
    operationId: `receive.${type}`,
    summary,
    description: `Sent to ${to}.`,
    tags: [
      'organizations',
      ...from.map((source) => (source === 'campaign' ? 'campaigns' : 'social')),
    ],
    security: [],
    parameters: (['WebhookId', 'WebhookTimestamp', 'WebhookSignature'] as const).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: gather(convertSchema(body, 'output'), gathered, `${type} event`),
        },
      },
    },
    responses: {
      '200': { description: 'Delivered.' },
      '410': { description: 'Gone.' },
    },
  };
}
