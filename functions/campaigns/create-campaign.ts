import { presentCampaign } from '#lib/features/campaigns/campaign.ts';
import { campaignProblems, createCampaign } from '#lib/features/campaigns/campaigns.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(
  contracts.createCampaign,
  async ({ organizationId, role, caller, body, idempotently }) => {
    const author = { userId: caller.userId, role };
    const { campaign, secret } = await idempotently((extraWrites) =>
      createCampaign(organizationId, author, body, extraWrites),
    );

    return { campaign: { ...presentCampaign(campaign), webhookSecret: secret } };
  },
  { rules: ({ body }) => campaignProblems(body) },
);
