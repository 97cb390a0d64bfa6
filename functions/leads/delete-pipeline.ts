import { endpoint } from '#lib/http/endpoint.ts';
import { readPipelineFigures } from '#lib/leads/lead-counters.ts';
import { deletePipeline, requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.deletePipeline,
  async ({ organizationId, params }) => {
    await deletePipeline(organizationId, params.pipeline_id);

    return { message: 'Pipeline deleted successfully' };
  },
  {
    ahead: ({ organizationId, params }) =>
      Promise.all([
        requirePipeline(organizationId, params.pipeline_id),
        readPipelineFigures(organizationId, params.pipeline_id),
      ]),
  },
);
