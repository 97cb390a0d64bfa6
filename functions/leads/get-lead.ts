import { endpoint } from '#lib/http/endpoint.ts';
import { requireLeadWithActivities } from '#lib/leads/lead.ts';
import { linkLead } from '#lib/leads/linked-leads.ts';
import { getLead } from '#schemas/leads.ts';

export const handler = endpoint(
  getLead,
  async ({ organizationId, params }) => {
    const { lead, activities } = await requireLeadWithActivities(organizationId, params.lead_id);

    return {
      lead: { ...(await linkLead(organizationId, lead)), activities: [...activities] },
      message: 'Lead retrieved successfully',
    };
  },
  {
    ahead: ({ organizationId, params }) =>
      requireLeadWithActivities(organizationId, params.lead_id),
  },
);
