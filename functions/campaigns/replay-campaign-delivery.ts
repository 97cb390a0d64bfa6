import { requireCampaign } from '#lib/features/campaigns/campaign.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { replayDelivery } from '#lib/platform/webhooks/deliveries.ts';
import { findDelivery } from '#lib/platform/webhooks/delivery.ts';
import { replayCampaignDelivery } from '#schemas/campaigns.ts';

export const handler = endpoint(
  replayCampaignDelivery,
  async ({ organizationId, params, once }) => {
    const { campaign_id: sourceId, delivery_id: deliveryId } = params;
    const delivery = await once(async (alongside) => {
      await requireCampaign(organizationId, sourceId);

      return replayDelivery({ organizationId, sourceId, deliveryId }, alongside);
    });

    return { delivery };
  },
  {
    ahead: ({ organizationId, params }) =>
      Promise.all([
        requireCampaign(organizationId, params.campaign_id),
        findDelivery({
          organizationId,
          sourceId: params.campaign_id,
          deliveryId: params.delivery_id,
        }),
      ]),
  },
);
