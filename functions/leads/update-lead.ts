import { endpoint } from '#lib/http/endpoint.ts';
import { findMembership } from '#lib/identity/identity.ts';
import { presentLead, requireLead } from '#lib/leads/lead.ts';
import { updateLead as applyPatch } from '#lib/leads/leads.ts';
import { updateLead } from '#schemas/leads.ts';

export const handler = endpoint(
  updateLead,
  async ({ organizationId, params, body }) => {
    const lead = await applyPatch(organizationId, params.lead_id, body);

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
