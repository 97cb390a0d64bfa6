import { listPipelines, presentPipeline } from '#lib/features/leads/pipelines/pipeline.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.listPipelines, async ({ organizationId }) => {
  const pipelines = (await listPipelines(organizationId)).map(presentPipeline);

  return {
    pipelines,
    total: pipelines.length,
  };
});
