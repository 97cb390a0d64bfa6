import { listKeywords } from '#lib/features/campaigns/list-keywords.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listCampaignKeywords } from '#schemas/campaigns.ts';

export const handler = endpoint(listCampaignKeywords, async ({ organizationId }) => {
  const keywords = await listKeywords(organizationId);

  return {
    keywords,
    total: keywords.length,
  };
});
