import { readCampaign } from '#lib/features/campaigns/read-campaign.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getCampaign } from '#schemas/campaigns.ts';

export const handler = endpoint(getCampaign, async ({ organizationId, params }) => ({
  campaign: await readCampaign(organizationId, params.campaign_id),
}));
