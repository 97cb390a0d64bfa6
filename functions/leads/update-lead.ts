import { endpoint } from '#lib/http/endpoint.ts';
import { findMembership } from '#lib/identity/identity.ts';
import { presentLead, requireLead } from '#lib/leads/lead.ts';
import { updateLead } from '#lib/leads/leads.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.updateLead,
  async ({ organizationId, params, body }) => {
    const lead = await updateLead(organizationId, params.lead_id, body);

    return { lead: presentLead(lead), message: 'Lead updated successfully' };
  },
  {
    ahead: ({ organizationId, params, body }) =>
      Promise.all([
        requireLead(organizationId, params.lead_id),
        body.assignedToId ? findMembership(organizationId, body.assignedToId) : undefined,
      ]),
  },
);
