import { endpoint } from '#lib/http/endpoint.ts';
import { presentPipeline, listPipelines as readPipelines } from '#lib/leads/pipelines/pipelines.ts';
import { listPipelines } from '#schemas/leads.ts';

export const handler = endpoint(listPipelines, async ({ organizationId }) => {
  const pipelines = (await readPipelines(organizationId)).map(presentPipeline);

  return {
    pipelines,
    total: pipelines.length,
    message: 'Pipelines retrieved successfully',
  };
});
