import { findContactByEmail, presentReadContact } from '#lib/features/leads/contacts/contacts.ts';
import { createLeadWithContact } from '#lib/features/leads/leads.ts';
import { presentLinkedLead } from '#lib/features/leads/linked-leads.ts';
import { requirePipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createLeadWithContact,
  async ({ organizationId, body, once }) => {
    const { contact: person, ...details } = body;
    const { lead, contact, pipeline, fields } = await once((alongside) =>
      createLeadWithContact(organizationId, person, details, alongside),
    );

    return {
      lead: presentLinkedLead(lead, { contact, pipeline, fields }),
      contact: await presentReadContact(contact),
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
