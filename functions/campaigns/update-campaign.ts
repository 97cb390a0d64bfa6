import { presentCampaign } from '#lib/features/campaigns/campaign.ts';
import { campaignProblems, updateCampaign } from '#lib/features/campaigns/campaigns.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(
  contracts.updateCampaign,
  async ({ organizationId, role, caller, params, body }) => {
    const { campaign, secret } = await updateCampaign(
      organizationId,
      { userId: caller.userId, role },
      params.campaign_id,
      body,
    );

    return { campaign: { ...presentCampaign(campaign), webhookSecret: secret } };
  },
  { rules: ({ body }) => campaignProblems(body) },
);
