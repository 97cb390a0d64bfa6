import { endpoint } from '#lib/http/endpoint.ts';
import { findContactByEmail } from '#lib/leads/contacts/contacts.ts';
import { createLeadWithContact as enterPipeline } from '#lib/leads/leads.ts';
import { presentLinkedLead } from '#lib/leads/linked-leads.ts';
import { requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import { createLeadWithContact } from '#schemas/leads.ts';

export const handler = endpoint(
  createLeadWithContact,
  async ({ organizationId, body, once }) => {
    const { contact: person, ...details } = body;
    const { lead, contact, pipeline } = await once((alongside) =>
      enterPipeline(organizationId, person, details, alongside),
    );

    return {
      lead: presentLinkedLead(lead, { contact, pipeline }),
      contact,
      message: 'Lead created successfully',
    };
  },
  {
    ahead: ({ organizationId, body }) =>
      Promise.all([
        requirePipeline(organizationId, body.pipelineId),
        findContactByEmail(organizationId, body.contact.email),
      ]),
  },
);
