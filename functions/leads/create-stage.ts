import { endpoint } from '#lib/http/endpoint.ts';
import { createStage, presentStage, requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createStage,
  async ({ organizationId, params, body, once }) => {
    const stage = await once((alongside) =>
      createStage(organizationId, params.pipeline_id, body, alongside),
    );

    return { stage: presentStage(stage), message: 'Stage created successfully' };
  },
  { ahead: ({ organizationId, params }) => requirePipeline(organizationId, params.pipeline_id) },
);
