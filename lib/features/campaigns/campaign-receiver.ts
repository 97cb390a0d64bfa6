import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { discard, put, type Write } from '#lib/platform/db/write.ts';
import { planEvent } from '#lib/platform/webhooks/deliveries.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import type { WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { type Campaign, presentCampaign } from './campaign.ts';

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
