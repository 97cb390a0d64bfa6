import { endpoint } from '#lib/http/endpoint.ts';
import { createPipeline, presentPipeline } from '#lib/leads/pipelines/pipelines.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createPipeline,
  async ({ organizationId, body, once }) => {
    const pipeline = await once((alongside) => createPipeline(organizationId, body, alongside));

    return { pipeline: presentPipeline(pipeline), message: 'Pipeline created successfully' };
  },
);
