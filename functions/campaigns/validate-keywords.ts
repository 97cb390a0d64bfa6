import { readCampaignsVersion } from '#lib/campaigns/active-campaigns.ts';
import { validateKeywords as judgeKeywords } from '#lib/campaigns/validate-keywords.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { validateKeywords } from '#schemas/campaigns.ts';

export const handler = endpoint(
  validateKeywords,
  async ({ organizationId, body }) => ({
    validation: await judgeKeywords(organizationId, body.keywords, body.campaignId),
    message: 'Keywords validated successfully',
  }),
  { ahead: ({ organizationId }) => readCampaignsVersion(organizationId) },
);
