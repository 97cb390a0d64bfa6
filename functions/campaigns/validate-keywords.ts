import { readCampaignsVersion } from '#lib/features/campaigns/active-campaigns.ts';
import { validateKeywords } from '#lib/features/campaigns/validate-keywords.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(
  contracts.validateKeywords,
  async ({ organizationId, body }) => ({
    validation: await validateKeywords(organizationId, body.keywords, body.campaignId),
  }),
  { ahead: ({ organizationId }) => readCampaignsVersion(organizationId) },
);
