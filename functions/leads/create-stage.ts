import { createStage } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createStage,
  async ({ organizationId, params, body, idempotently }) => ({
    stage: await idempotently((extraWrites) =>
      createStage(organizationId, params.pipeline_id, body, extraWrites),
    ),
  }),
);
