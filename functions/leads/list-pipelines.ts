import { endpoint } from '#lib/http/endpoint.ts';
import { listPipelines, presentPipeline } from '#lib/leads/pipelines/pipelines.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.listPipelines, async ({ organizationId }) => {
  const pipelines = (await listPipelines(organizationId)).map(presentPipeline);

  return {
    pipelines,
    total: pipelines.length,
    message: 'Pipelines retrieved successfully',
  };
});
