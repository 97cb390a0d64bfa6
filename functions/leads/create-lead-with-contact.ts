import { presentReadContact } from '#lib/features/leads/contacts/contacts.ts';
import { createLeadWithContact } from '#lib/features/leads/create-lead.ts';
import { presentLinkedLead } from '#lib/features/leads/linked-lead.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.createLeadWithContact,
  async ({ organizationId, body, idempotently }) => {
    const { contact: person, ...details } = body;
    const { lead, contact, pipeline, fields } = await idempotently((extraWrites) =>
      createLeadWithContact(organizationId, person, details, extraWrites),
    );

    return {
      lead: presentLinkedLead(lead, { contact, pipeline, fields }),
      contact: await presentReadContact(contact),
    };
  },
);
