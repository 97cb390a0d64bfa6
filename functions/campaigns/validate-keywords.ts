import { emptyKeywordProblems } from '#lib/features/campaigns/keyword-claims.ts';
import { validateKeywords } from '#lib/features/campaigns/validate-keywords.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(
  contracts.validateKeywords,
  async ({ organizationId, body }) => ({
    validation: await validateKeywords(organizationId, body.keywords, body.campaignId),
  }),
  { rules: ({ body }) => emptyKeywordProblems(body.keywords ?? []) },
);
