import { presentCampaign } from '#lib/features/campaigns/campaign.ts';
import { requireParts } from '#lib/features/campaigns/campaign-parts.ts';
import { createCampaign } from '#lib/features/campaigns/campaigns.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(
  contracts.createCampaign,
  async ({ organizationId, role, caller, body, once }) => {
    const author = { userId: caller.userId, role };
    const { campaign, secret } = await once((alongside) =>
      createCampaign(organizationId, author, body, alongside),
    );

    return { campaign: { ...presentCampaign(campaign), webhookSecret: secret } };
  },
  {
    ahead: ({ organizationId, body }) =>
      requireParts(organizationId, {
        ...body,
        postIds: body.postIds ?? [],
        agentConfigs: body.agentConfigs ?? [],
      }),
  },
);
