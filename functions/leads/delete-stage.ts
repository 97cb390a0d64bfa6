import { endpoint } from '#lib/http/endpoint.ts';
import { deleteStage as removeStage } from '#lib/leads/pipelines/pipelines.ts';
import { deleteStage } from '#schemas/leads.ts';

export const handler = endpoint(deleteStage, async ({ organizationId, params }) => {
  await removeStage(organizationId, params.pipeline_id, params.stage_id);

  return { message: 'Stage deleted successfully' };
});
