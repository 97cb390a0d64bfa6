import { presentChangedLead, requireLead } from '#lib/features/leads/lead.ts';
import { addTags } from '#lib/features/leads/leads.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { addLeadTags } from '#schemas/leads.ts';

export const handler = endpoint(
  addLeadTags,
  async ({ organizationId, params, body, once }) => {
    const lead = await once((alongside) =>
      addTags(organizationId, params.lead_id, body.tags, alongside),
    );

    return { lead: await presentChangedLead(lead) };
  },
  { ahead: ({ organizationId, params }) => requireLead(organizationId, params.lead_id) },
);
