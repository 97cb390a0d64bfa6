import { readAttribution } from '#lib/features/attribution/attribution-report.ts';
import { dayRangeProblems, namedRange, resolveDays } from '#lib/platform/day-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getAttribution } from '#schemas/attribution.ts';

export const handler = endpoint(
  getAttribution,
  async ({ organizationId, query }) => {
    const rows = await readAttribution(organizationId, query.by, resolveDays(query));

    return { rows, total: rows.length };
  },
  { rules: ({ query }) => dayRangeProblems(namedRange(query)) },
);
