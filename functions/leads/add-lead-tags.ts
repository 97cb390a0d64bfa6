import { presentChangedLead } from '#lib/features/leads/lead.ts';
import { addTags } from '#lib/features/leads/update-lead.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { addLeadTags } from '#schemas/leads.ts';

export const handler = endpoint(
  addLeadTags,
  async ({ organizationId, params, body, idempotently }) => {
    const lead = await idempotently((extraWrites) =>
      addTags(organizationId, params.lead_id, body.tags, extraWrites),
    );

    return { lead: await presentChangedLead(lead) };
  },
);
