import { requireLead } from '#lib/features/leads/lead.ts';
import { moveLead } from '#lib/features/leads/leads.ts';
import { requirePipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { moveLeadStage } from '#schemas/leads.ts';

/** The lead gets the status that the new stage is linked to, if any. */
export const handler = endpoint(
  moveLeadStage,
  async ({ organizationId, params, body, once }) => {
    const { stageId, notes } = body;
    const lead = await once((alongside) =>
      moveLead(organizationId, params.lead_id, { stageId, notes }, alongside),
    );

    return { lead };
  },
  {
    ahead: async ({ organizationId, params }) => {
      const { pipelineId } = await requireLead(organizationId, params.lead_id);
      await requirePipeline(organizationId, pipelineId);
    },
  },
);
