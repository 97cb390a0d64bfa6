import { endpoint } from '#lib/http/endpoint.ts';
import { requireContact } from '#lib/leads/contacts/contacts.ts';
import { createLead as enterPipeline } from '#lib/leads/leads.ts';
import { presentLinkedLead } from '#lib/leads/linked-leads.ts';
import { requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import { createLead } from '#schemas/leads.ts';

/** A new lead starts in the first stage. A contact has one lead per pipeline. */
export const handler = endpoint(
  createLead,
  async ({ organizationId, body, once }) => {
    const { lead, ...links } = await once((alongside) =>
      enterPipeline(organizationId, body, alongside),
    );

    return { lead: presentLinkedLead(lead, links), message: 'Lead created successfully' };
  },
  {
    ahead: ({ organizationId, body }) =>
      Promise.all([
        requirePipeline(organizationId, body.pipelineId),
        requireContact(organizationId, body.contactId),
      ]),
  },
);
