import { requirePipeline } from '#lib/features/leads/pipelines/pipeline.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listStages } from '#schemas/leads.ts';

export const handler = endpoint(listStages, async ({ organizationId, params }) => {
  const { stages } = await requirePipeline(organizationId, params.pipeline_id);

  return { stages, total: stages.length };
});
