import { endpoint } from '#lib/http/endpoint.ts';
import { listPipelines, presentPipeline, updatePipeline } from '#lib/leads/pipelines/pipelines.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.updatePipeline,
  async ({ organizationId, params, body }) => {
    const pipeline = await updatePipeline(organizationId, params.pipeline_id, body);

    return { pipeline: presentPipeline(pipeline), message: 'Pipeline updated successfully' };
  },
  { ahead: ({ organizationId }) => listPipelines(organizationId) },
);
