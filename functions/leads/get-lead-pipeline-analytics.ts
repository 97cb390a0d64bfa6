import { endpoint } from '#lib/http/endpoint.ts';
import { readPipelineAnalytics } from '#lib/leads/lead-analytics.ts';
import { requirePipelineOrDefault } from '#lib/leads/pipelines/pipelines.ts';
import { getLeadPipelineAnalytics } from '#schemas/leads.ts';

export const handler = endpoint(
  getLeadPipelineAnalytics,
  async ({ organizationId, query }) => {
    const pipeline = await readPipelineAnalytics(organizationId, query.pipelineId);

    return { pipeline, message: 'Pipeline analytics retrieved successfully' };
  },
  {
    ahead: ({ organizationId, query }) =>
      requirePipelineOrDefault(organizationId, query.pipelineId),
  },
);
