import { endpoint } from '#lib/http/endpoint.ts';
import {
  createStage as addStage,
  presentStage,
  requirePipeline,
} from '#lib/leads/pipelines/pipelines.ts';
import { createStage } from '#schemas/leads.ts';

export const handler = endpoint(
  createStage,
  async ({ organizationId, params, body, once }) => {
    const stage = await once((alongside) =>
      addStage(organizationId, params.pipeline_id, body, alongside),
    );

    return { stage: presentStage(stage), message: 'Stage created successfully' };
  },
  { ahead: ({ organizationId, params }) => requirePipeline(organizationId, params.pipeline_id) },
);
