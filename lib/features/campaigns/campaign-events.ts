import { keys } from '#lib/platform/db/keys.ts';
import { discard, put, type Write } from '#lib/platform/db/write.ts';
import {
  findWebhookEndpoint,
  newWebhookEndpoint,
  type WebhookEndpoint,
} from '#lib/platform/webhooks/endpoints.ts';
import { planEvent } from '#lib/platform/webhooks/events.ts';
import { type Campaign, presentCampaign } from './campaign.ts';

type EventData = Readonly<Record<string, unknown>>;

/** What happens to a campaign that its receiver is told of. */
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
        | 'credits.low'
        | 'credits.exhausted';
      readonly data: EventData;
    };

/**
 * Plans an event of a campaign for its receiver, if it has one, for the transaction of what happened.
 * `data` gets the campaign's id.
 */
export async function campaignEvent(
  organizationId: string,
  campaignId: string,
  { type, data }: CampaignEvent,
): Promise<readonly Write[]> {
  const endpoint = await findWebhookEndpoint<WebhookEndpoint>(organizationId, campaignId);

  return planEvent(endpoint, { type, data: { campaignId, ...data } });
}

/** Tells the receiver, the new one where it has changed, what has become of a campaign. */
export function campaignUpdated(
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
  /** Told this once. */
  readonly secret: string | undefined;
  readonly writes: readonly Write[];
};

/**
 * Where a campaign's events go to from now on. The URL has been checked.
 *
 * @param url `undefined` leaves everything as it is, null ends it.
 */
export async function planReceiver(
  organizationId: string,
  campaignId: string,
  url: string | null | undefined,
  current: WebhookEndpoint | undefined,
): Promise<Receiver> {
  const key = keys.webhookEndpoint(organizationId, campaignId);
  if (url === undefined) {
    return { endpoint: current, secret: undefined, writes: [] };
  }
  if (url === null) {
    return { endpoint: undefined, secret: undefined, writes: current ? [discard(key)] : [] };
  }
  const { endpoint, secret } = await newWebhookEndpoint(organizationId, campaignId, url, current);

  return { endpoint, secret, writes: [put(key, endpoint)] };
}
