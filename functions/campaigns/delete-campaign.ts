import { deleteCampaign } from '#lib/features/campaigns/campaigns.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(
  contracts.deleteCampaign,
  async ({ organizationId, caller, params }) => {
    await deleteCampaign(organizationId, caller.userId, params.campaign_id);
  },
);
