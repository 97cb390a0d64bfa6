import { presentPipeline } from '#lib/features/leads/pipelines/pipeline.ts';
import { updatePipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.updatePipeline,
  async ({ organizationId, params, body }) => {
    const pipeline = await updatePipeline(organizationId, params.pipeline_id, body);

    return { pipeline: presentPipeline(pipeline) };
  },
);
