import { endpoint } from '#lib/http/endpoint.ts';
import { presentStage, requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import { listStages } from '#schemas/leads.ts';

export const handler = endpoint(
  listStages,
  async ({ organizationId, params }) => {
    const { stages } = await requirePipeline(organizationId, params.pipeline_id);

    return {
      stages: stages.map(presentStage),
      total: stages.length,
      message: 'Stages retrieved successfully',
    };
  },
  { ahead: ({ organizationId, params }) => requirePipeline(organizationId, params.pipeline_id) },
);
