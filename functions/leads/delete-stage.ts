import { deleteStage } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.deleteStage, async ({ organizationId, params }) => {
  await deleteStage(organizationId, params.pipeline_id, params.stage_id);
});
