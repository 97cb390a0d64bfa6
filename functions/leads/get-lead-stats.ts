import { endpoint } from '#lib/http/endpoint.ts';
import { readLeadStats } from '#lib/leads/lead-analytics.ts';
import { getLeadStats } from '#schemas/leads.ts';

export const handler = endpoint(getLeadStats, async ({ organizationId }) => {
  const stats = await readLeadStats(organizationId);

  return { stats, message: 'Lead statistics retrieved successfully' };
});
