import { readAnalytics } from '#lib/features/content/analytics/analytics.ts';
import { namedRange, olderDateNames } from '#lib/platform/day-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getContentAnalytics } from '#schemas/content.ts';

export const handler = endpoint(getContentAnalytics, async ({ organizationId, query }) => ({
  analytics: await readAnalytics(organizationId, {
    ...query,
    range: namedRange(query, olderDateNames),
  }),
}));
