import { requireCampaign } from '#lib/campaigns/campaign.ts';
import { deleteCampaign as removeCampaign } from '#lib/campaigns/campaigns.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { deleteCampaign } from '#schemas/campaigns.ts';

export const handler = endpoint(
  deleteCampaign,
  async ({ organizationId, caller, params }) => {
    await removeCampaign(organizationId, caller.userId, params.campaign_id);

    return { message: 'Campaign deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requireCampaign(organizationId, params.campaign_id) },
);
