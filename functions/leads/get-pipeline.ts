import { presentPipeline, requirePipeline } from '#lib/features/leads/pipelines/pipeline.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getPipeline } from '#schemas/leads.ts';

export const handler = endpoint(getPipeline, async ({ organizationId, params }) => {
  const pipeline = await requirePipeline(organizationId, params.pipeline_id);

  return { pipeline: presentPipeline(pipeline) };
});
