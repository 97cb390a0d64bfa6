import { endpoint } from '#lib/http/endpoint.ts';
import { readPipelineFigures } from '#lib/leads/lead-counters.ts';
import {
  deletePipeline as removePipeline,
  requirePipeline,
} from '#lib/leads/pipelines/pipelines.ts';
import { deletePipeline } from '#schemas/leads.ts';

export const handler = endpoint(
  deletePipeline,
  async ({ organizationId, params }) => {
    await removePipeline(organizationId, params.pipeline_id);

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
