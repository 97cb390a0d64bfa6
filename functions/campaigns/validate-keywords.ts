import { readCampaignsVersion } from '#lib/campaigns/active-campaigns.ts';
import { validateKeywords } from '#lib/campaigns/validate-keywords.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(
  contracts.validateKeywords,
  async ({ organizationId, body }) => ({
    validation: await validateKeywords(organizationId, body.keywords, body.campaignId),
    message: 'Keywords validated successfully',
  }),
  { ahead: ({ organizationId }) => readCampaignsVersion(organizationId) },
);
