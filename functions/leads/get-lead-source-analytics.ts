import { endpoint } from '#lib/http/endpoint.ts';
import { readSourceAnalytics } from '#lib/leads/lead-analytics.ts';
import { getLeadSourceAnalytics } from '#schemas/leads.ts';

export const handler = endpoint(getLeadSourceAnalytics, async ({ organizationId }) => {
  const sources = await readSourceAnalytics(organizationId);

  return { sources, message: 'Source analytics retrieved successfully' };
});
