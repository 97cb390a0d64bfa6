import { readPipelineMetrics } from '#lib/features/leads/lead-counters.ts';
import { deletePipeline, requirePipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.deletePipeline,
  async ({ organizationId, params }) => {
    await deletePipeline(organizationId, params.pipeline_id);
  },
  {
    ahead: ({ organizationId, params }) =>
      Promise.all([
        requirePipeline(organizationId, params.pipeline_id),
        readPipelineMetrics(organizationId, params.pipeline_id),
      ]),
  },
);
