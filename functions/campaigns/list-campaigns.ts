import { listCampaigns as readCampaigns } from '#lib/campaigns/list-campaigns.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listCampaigns } from '#schemas/campaigns.ts';

export const handler = endpoint(listCampaigns, async ({ organizationId, query }) => {
  const { page, limit, cursor, ...filters } = query;
  const { campaigns, pagination } = await readCampaigns(organizationId, filters, {
    page,
    limit,
    cursor,
  });

  return { campaigns, pagination, message: 'Campaigns retrieved successfully' };
});
