import { endpoint } from '#lib/http/endpoint.ts';
import {
  updateStage as applyPatch,
  presentStage,
  requirePipeline,
} from '#lib/leads/pipelines/pipelines.ts';
import { updateStage } from '#schemas/leads.ts';

export const handler = endpoint(
  updateStage,
  async ({ organizationId, params, body }) => {
    const { pipeline_id: pipelineId, stage_id: stageId } = params;
    const stage = await applyPatch(organizationId, pipelineId, stageId, body);

    return { stage: presentStage(stage), message: 'Stage updated successfully' };
  },
  { ahead: ({ organizationId, params }) => requirePipeline(organizationId, params.pipeline_id) },
);
