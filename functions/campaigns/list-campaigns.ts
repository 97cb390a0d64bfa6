import { listCampaigns } from '#lib/features/campaigns/list-campaigns.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/campaigns.ts';

export const handler = endpoint(contracts.listCampaigns, async ({ organizationId, query }) => {
  const { page, limit, cursor, ...filters } = query;
  const { campaigns, pagination } = await listCampaigns(organizationId, filters, {
    page,
    limit,
    cursor,
  });

  return { campaigns, pagination };
});
