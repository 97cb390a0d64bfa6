import { readPerformance } from '#lib/features/content/analytics/performance.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getContentPerformance } from '#schemas/content.ts';

export const handler = endpoint(getContentPerformance, async ({ organizationId, params }) => ({
  performance: await readPerformance(organizationId, params.post_id),
}));
