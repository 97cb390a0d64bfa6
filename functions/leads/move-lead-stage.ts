import { endpoint } from '#lib/http/endpoint.ts';
import { requireLead } from '#lib/leads/lead.ts';
import { moveLead } from '#lib/leads/leads.ts';
import { requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import { moveLeadStage } from '#schemas/leads.ts';

/** The lead gets the status that the new stage is linked to, if any. */
export const handler = endpoint(
  moveLeadStage,
  async ({ organizationId, params, body, once }) => {
    const { stageId, notes } = body;
    const lead = await once((alongside) =>
      moveLead(organizationId, params.lead_id, { stageId, notes }, alongside),
    );

    return { lead, message: 'Lead moved successfully' };
  },
  {
    ahead: async ({ organizationId, params }) => {
      const { pipelineId } = await requireLead(organizationId, params.lead_id);
      await requirePipeline(organizationId, pipelineId);
    },
  },
);
