import { readPipelineAnalytics } from '#lib/features/leads/analytics/lead-analytics.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getLeadPipelineAnalytics } from '#schemas/leads.ts';

export const handler = endpoint(getLeadPipelineAnalytics, async ({ organizationId, query }) => ({
  pipeline: await readPipelineAnalytics(organizationId, query.pipelineId),
}));
