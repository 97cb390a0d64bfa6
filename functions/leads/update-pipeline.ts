import { endpoint } from '#lib/http/endpoint.ts';
import {
  updatePipeline as applyPatch,
  listPipelines,
  presentPipeline,
} from '#lib/leads/pipelines/pipelines.ts';
import { updatePipeline } from '#schemas/leads.ts';

export const handler = endpoint(
  updatePipeline,
  async ({ organizationId, params, body }) => {
    const pipeline = await applyPatch(organizationId, params.pipeline_id, body);

    return { pipeline: presentPipeline(pipeline), message: 'Pipeline updated successfully' };
  },
  { ahead: ({ organizationId }) => listPipelines(organizationId) },
);
