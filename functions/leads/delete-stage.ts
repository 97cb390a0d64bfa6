import { endpoint } from '#lib/http/endpoint.ts';
import { readPipelineFigures } from '#lib/leads/lead-counters.ts';
import { deleteStage, requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.deleteStage,
  async ({ organizationId, params }) => {
    await deleteStage(organizationId, params.pipeline_id, params.stage_id);

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
