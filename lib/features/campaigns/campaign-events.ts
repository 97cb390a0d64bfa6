import type { Write } from '#lib/platform/db/write.ts';
import { planEvent } from '#lib/platform/webhooks/deliveries.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';

type EventData = Readonly<Record<string, unknown>>;

export type CampaignEvent =
  | {
      readonly type: 'message.received' | 'message.sent';
      readonly data: EventData & { readonly channel: string };
    }
  | {
      readonly type:
        | 'lead.created'
        | 'lead.updated'
        | 'lead.converted'
        | 'lead.clicked'
        | 'conversation.handed_over'
        | 'credits.low'
        | 'credits.exhausted';
      readonly data: EventData;
    };

/**
 * Plans an event for the campaign's webhook, if it has one. Include it in the transaction of the
 * change. The campaign's id is added to `data`.
 */
export async function planCampaignEvent(
  organizationId: string,
  campaignId: string,
  { type, data }: CampaignEvent,
): Promise<readonly Write[]> {
  const endpoint = await findWebhookEndpoint<WebhookEndpoint>(organizationId, campaignId);

  return planEvent(endpoint, { type, data: { campaignId, ...data } });
}
