import { readAnalytics } from '#lib/content/analytics.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getContentAnalytics } from '#schemas/content.ts';

export const handler = endpoint(getContentAnalytics, async ({ organizationId, query }) => ({
  analytics: await readAnalytics(organizationId, query),
  message: 'Content analytics retrieved successfully',
}));
