import { presentChangedLead } from '#lib/features/leads/lead.ts';
import { removeTag } from '#lib/features/leads/update-lead.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { removeLeadTag } from '#schemas/leads.ts';

export const handler = endpoint(removeLeadTag, async ({ organizationId, params }) => {
  const lead = await removeTag(organizationId, params.lead_id, params.tag);

  return { lead: await presentChangedLead(lead) };
});
