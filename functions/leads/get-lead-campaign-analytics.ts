import { readCampaignAnalytics } from '#lib/features/leads/analytics/lead-analytics.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getLeadCampaignAnalytics } from '#schemas/leads.ts';

export const handler = endpoint(getLeadCampaignAnalytics, async ({ organizationId }) => {
  const campaigns = await readCampaignAnalytics(organizationId);

  return { campaigns, total: campaigns.length };
});
