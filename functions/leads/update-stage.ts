import { updateStage } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.updateStage, async ({ organizationId, params, body }) => {
  const { pipeline_id: pipelineId, stage_id: stageId } = params;
  const stage = await updateStage(organizationId, pipelineId, stageId, body);

  return { stage };
});
