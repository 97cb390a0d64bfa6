import { endpoint } from '#lib/http/endpoint.ts';
import { findContactByEmail } from '#lib/leads/contacts/contacts.ts';
import { createLeadWithContact } from '#lib/leads/leads.ts';
import { presentLinkedLead } from '#lib/leads/linked-leads.ts';
import { requirePipeline } from '#lib/leads/pipelines/pipelines.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createLeadWithContact,
  async ({ organizationId, body, once }) => {
    const { contact: person, ...details } = body;
    const { lead, contact, pipeline } = await once((alongside) =>
      createLeadWithContact(organizationId, person, details, alongside),
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
