import { endpoint } from '#lib/http/endpoint.ts';
import { requireLead } from '#lib/leads/lead.ts';
import { deleteLead as removeForGood } from '#lib/leads/leads.ts';
import { deleteLead } from '#schemas/leads.ts';

export const handler = endpoint(
  deleteLead,
  async ({ organizationId, params }) => {
    await removeForGood(organizationId, params.lead_id);

    return { message: 'Lead deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requireLead(organizationId, params.lead_id) },
);
