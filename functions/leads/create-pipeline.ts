import { endpoint } from '#lib/http/endpoint.ts';
import { createPipeline as addPipeline, presentPipeline } from '#lib/leads/pipelines/pipelines.ts';
import { createPipeline } from '#schemas/leads.ts';

export const handler = endpoint(createPipeline, async ({ organizationId, body }) => {
  const pipeline = await addPipeline(organizationId, body);

  return { pipeline: presentPipeline(pipeline), message: 'Pipeline created successfully' };
});
