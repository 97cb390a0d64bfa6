import { requireCampaign } from '#lib/features/campaigns/campaign.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listDeliveries } from '#lib/platform/webhooks/delivery.ts';
import { listCampaignDeliveries } from '#schemas/campaigns.ts';

export const handler = endpoint(
  listCampaignDeliveries,
  async ({ organizationId, params, query }) => {
    const [{ items, pagination }] = await Promise.all([
      listDeliveries(organizationId, params.campaign_id, query),
      requireCampaign(organizationId, params.campaign_id),
    ]);

    return { deliveries: items, pagination };
  },
);
