import { presentChangedLead, requireLead } from '#lib/features/leads/lead.ts';
import { updateLead } from '#lib/features/leads/leads.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { findMembership } from '#lib/platform/identity/identity.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.updateLead,
  async ({ organizationId, params, body, caller }) => {
    const lead = await updateLead(organizationId, params.lead_id, body, caller.userId);

    return { lead: await presentChangedLead(lead) };
  },
  {
    ahead: ({ organizationId, params, body }) =>
      Promise.all([
        requireLead(organizationId, params.lead_id),
        body.assignedToId ? findMembership(organizationId, body.assignedToId) : undefined,
      ]),
  },
);
