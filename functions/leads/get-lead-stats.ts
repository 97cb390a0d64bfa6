import { readLeadStats } from '#lib/features/leads/analytics/lead-analytics.ts';
import { dayRangeProblems, namedRange, resolveDays } from '#lib/platform/day-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getLeadStats } from '#schemas/leads.ts';

export const handler = endpoint(
  getLeadStats,
  async ({ organizationId, query }) => {
    const hasRange = (query.from ?? query.to) !== undefined;
    const stats = await readLeadStats(organizationId, hasRange ? resolveDays(query) : undefined);

    return { stats };
  },
  { rules: ({ query }) => dayRangeProblems(namedRange(query)) },
);
