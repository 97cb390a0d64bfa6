import { requireCampaign } from '#lib/features/campaigns/campaign.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { replayDelivery } from '#lib/platform/webhooks/change-delivery.ts';
import { replayCampaignDelivery } from '#schemas/campaigns.ts';

export const handler = endpoint(
  replayCampaignDelivery,
  async ({ organizationId, params, idempotently }) => {
    const { campaign_id: sourceId, delivery_id: deliveryId } = params;
    const delivery = await idempotently(async (extraWrites) => {
      await requireCampaign(organizationId, sourceId);

      return replayDelivery({ organizationId, sourceId, deliveryId }, extraWrites);
    });

    return { delivery };
  },
);
