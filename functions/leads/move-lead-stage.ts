import { moveLead } from '#lib/features/leads/update-lead.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { moveLeadStage } from '#schemas/leads.ts';

/** The lead gets the status of the new stage, if the stage has one. */
export const handler = endpoint(
  moveLeadStage,
  async ({ organizationId, params, body, idempotently }) => {
    const { stageId, notes } = body;
    const lead = await idempotently((extraWrites) =>
      moveLead(organizationId, params.lead_id, { stageId, notes }, extraWrites),
    );

    return { lead };
  },
);
