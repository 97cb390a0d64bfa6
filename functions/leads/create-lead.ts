import { requireContact } from '#lib/features/leads/contacts/contacts.ts';
import { createLead } from '#lib/features/leads/leads.ts';
import { presentLinkedLead } from '#lib/features/leads/linked-leads.ts';
import { requirePipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

/** A new lead starts in the first stage. A contact has one lead per pipeline. */
export const handler = endpoint(
  contracts.createLead,
  async ({ organizationId, body, once }) => {
    const { lead, ...links } = await once((alongside) =>
      createLead(organizationId, body, alongside),
    );

    return { lead: presentLinkedLead(lead, links) };
  },
  {
    ahead: ({ organizationId, body }) =>
      Promise.all([
        requirePipeline(organizationId, body.pipelineId),
        requireContact(organizationId, body.contactId),
      ]),
  },
);
