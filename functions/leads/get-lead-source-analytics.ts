import { readSourceAnalytics } from '#lib/features/leads/analytics/lead-analytics.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getLeadSourceAnalytics } from '#schemas/leads.ts';

export const handler = endpoint(getLeadSourceAnalytics, async ({ organizationId }) => {
  const sources = await readSourceAnalytics(organizationId);

  return { sources, total: sources.length };
});
