import { endpoint } from '#lib/http/endpoint.ts';
import { requireLead } from '#lib/leads/lead.ts';
import { deleteLead } from '#lib/leads/leads.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.deleteLead,
  async ({ organizationId, params }) => {
    await deleteLead(organizationId, params.lead_id);

    return { message: 'Lead deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requireLead(organizationId, params.lead_id) },
);
