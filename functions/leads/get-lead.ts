import { requireLeadWithActivities, withMessageTexts } from '#lib/features/leads/activities.ts';
import { linkLead } from '#lib/features/leads/linked-leads.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getLead } from '#schemas/leads.ts';

export const handler = endpoint(getLead, async ({ organizationId, params }) => {
  const { lead, activities } = await requireLeadWithActivities(organizationId, params.lead_id);
  const [linked, described] = await Promise.all([
    linkLead(organizationId, lead),
    withMessageTexts(organizationId, activities),
  ]);

  return { lead: { ...linked, activities: described } };
});
