import { requireCampaign } from '#lib/campaigns/campaign.ts';
import { deleteCampaign } from '#lib/campaigns/campaigns.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(
  contracts.deleteCampaign,
  async ({ organizationId, caller, params }) => {
    await deleteCampaign(organizationId, caller.userId, params.campaign_id);

    return { message: 'Campaign deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requireCampaign(organizationId, params.campaign_id) },
);
