import { endpoint } from '#lib/http/endpoint.ts';
import { createPipeline as addPipeline, presentPipeline } from '#lib/leads/pipelines/pipelines.ts';
import { createPipeline } from '#schemas/leads.ts';

export const handler = endpoint(createPipeline, async ({ organizationId, body, once }) => {
  const pipeline = await once((alongside) => addPipeline(organizationId, body, alongside));

  return { pipeline: presentPipeline(pipeline), message: 'Pipeline created successfully' };
});
