import { endpoint } from '#lib/http/endpoint.ts';
import { readCampaignAnalytics } from '#lib/leads/lead-analytics.ts';
import { getLeadCampaignAnalytics } from '#schemas/leads.ts';

export const handler = endpoint(getLeadCampaignAnalytics, async ({ organizationId }) => {
  const campaigns = await readCampaignAnalytics(organizationId);

  return { campaigns, message: 'Campaign analytics retrieved successfully' };
});
