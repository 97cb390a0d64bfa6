import { endpoint } from '#lib/http/endpoint.ts';
import { deletePipeline as removePipeline } from '#lib/leads/pipelines/pipelines.ts';
import { deletePipeline } from '#schemas/leads.ts';

export const handler = endpoint(deletePipeline, async ({ organizationId, params }) => {
  await removePipeline(organizationId, params.pipeline_id);

  return { message: 'Pipeline deleted successfully' };
});
