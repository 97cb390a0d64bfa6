import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { discard, put, type Write } from '#lib/platform/db/write.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planEvent } from '#lib/platform/webhooks/events.ts';
import { type Campaign, presentCampaign } from './campaign.ts';

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

/** Plans the `campaign.updated` event. If the webhook was replaced, the new one receives it. */
export function planCampaignUpdatedEvent(
  endpoint: WebhookEndpoint | undefined,
  campaign: Campaign,
): readonly Write[] {
  return planEvent(endpoint, {
    type: 'campaign.updated',
    data: { campaignId: campaign.id, campaign: presentCampaign(campaign) },
  });
}

export type Receiver = {
  readonly endpoint: WebhookEndpoint | undefined;
  /** The signing secret, which is returned only once. */
  readonly secret: string | undefined;
  readonly writes: readonly Write[];
};

/**
 * Plans a change of the campaign's webhook. The URL must already be validated.
 *
 * @param url `undefined` keeps the webhook, and null removes it.
 */
export async function planReceiver(
  organizationId: string,
  campaignId: string,
  url: string | null | undefined,
  current: WebhookEndpoint | undefined,
): Promise<Receiver> {
  const key = webhookKeys.webhookEndpoint(organizationId, campaignId);
  if (url === undefined) {
    return { endpoint: current, secret: undefined, writes: [] };
  }
  if (url === null) {
    return { endpoint: undefined, secret: undefined, writes: current ? [discard(key)] : [] };
  }
  const { endpoint, secret } = await newWebhookEndpoint(organizationId, campaignId, url, current);

  return { endpoint, secret, writes: [put(key, endpoint)] };
}
