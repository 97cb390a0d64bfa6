import { presentChangedLead } from '#lib/features/leads/lead.ts';
import { updateLead } from '#lib/features/leads/update-lead.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.updateLead,
  async ({ organizationId, params, body, caller }) => {
    const lead = await updateLead(organizationId, params.lead_id, body, caller.userId);

    return { lead: await presentChangedLead(lead) };
  },
);
