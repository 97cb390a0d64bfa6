import { endpoint } from '#lib/http/endpoint.ts';
import { presentPipeline, requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import { getPipeline } from '#schemas/leads.ts';

export const handler = endpoint(
  getPipeline,
  async ({ organizationId, params }) => {
    const pipeline = await requirePipeline(organizationId, params.pipeline_id);

    return { pipeline: presentPipeline(pipeline), message: 'Pipeline retrieved successfully' };
  },
  { ahead: ({ organizationId, params }) => requirePipeline(organizationId, params.pipeline_id) },
);
