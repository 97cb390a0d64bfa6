import { readAttribution } from '#lib/features/attribution/attribution-report.ts';
import { resolveDays } from '#lib/platform/day-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getAttribution } from '#schemas/attribution.ts';

export const handler = endpoint(getAttribution, async ({ organizationId, query }) => {
  const range = resolveDays(query, { from: 'from', to: 'to' });

  return { rows: await readAttribution(organizationId, query.by, range) };
});
