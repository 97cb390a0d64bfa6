import { presentPipeline } from '#lib/features/leads/pipelines/pipeline.ts';
import { createPipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createPipeline,
  async ({ organizationId, body, idempotently }) => {
    const pipeline = await idempotently((extraWrites) =>
      createPipeline(organizationId, body, extraWrites),
    );

    return { pipeline: presentPipeline(pipeline) };
  },
);
