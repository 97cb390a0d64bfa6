import { requireLeadWithActivities } from '#lib/features/leads/lead.ts';
import { linkLead } from '#lib/features/leads/linked-leads.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getLead } from '#schemas/leads.ts';

export const handler = endpoint(
  getLead,
  async ({ organizationId, params }) => {
    const { lead, activities } = await requireLeadWithActivities(organizationId, params.lead_id);

    return {
      lead: { ...(await linkLead(organizationId, lead)), activities },
    };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireLeadWithActivities(organizationId, params.lead_id),
  },
);
