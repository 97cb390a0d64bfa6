import { readLeadStats } from '#lib/features/leads/analytics/lead-analytics.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getLeadStats } from '#schemas/leads.ts';

export const handler = endpoint(getLeadStats, async ({ organizationId }) => {
  const stats = await readLeadStats(organizationId);

  return { stats };
});
