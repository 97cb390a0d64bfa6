import { createStage, requirePipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createStage,
  async ({ organizationId, params, body, once }) => {
    const stage = await once((alongside) =>
      createStage(organizationId, params.pipeline_id, body, alongside),
    );

    return { stage };
  },
  { ahead: ({ organizationId, params }) => requirePipeline(organizationId, params.pipeline_id) },
);
