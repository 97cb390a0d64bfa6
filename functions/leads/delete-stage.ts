import { endpoint } from '#lib/http/endpoint.ts';
import { readPipelineFigures } from '#lib/leads/lead-counters.ts';
import { deleteStage as removeStage, requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import { deleteStage } from '#schemas/leads.ts';

export const handler = endpoint(
  deleteStage,
  async ({ organizationId, params }) => {
    await removeStage(organizationId, params.pipeline_id, params.stage_id);

    return { message: 'Stage deleted successfully' };
  },
  {
    ahead: ({ organizationId, params }) =>
      Promise.all([
        requirePipeline(organizationId, params.pipeline_id),
        readPipelineFigures(organizationId, params.pipeline_id),
      ]),
  },
);
