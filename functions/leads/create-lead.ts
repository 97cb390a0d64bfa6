import { createLead } from '#lib/features/leads/create-lead.ts';
import { presentLinkedLead } from '#lib/features/leads/linked-lead.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

/** A new lead starts in the first stage. A contact has one lead per pipeline. */
export const handler = endpoint(
  contracts.createLead,
  async ({ organizationId, body, idempotently }) => {
    const { lead, ...links } = await idempotently((extraWrites) =>
      createLead(organizationId, body, extraWrites),
    );

    return { lead: presentLinkedLead(lead, links) };
  },
);
