import { endpoint } from '#lib/http/endpoint.ts';
import { createContact } from '#lib/leads/contacts/contacts.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.createContact, async ({ organizationId, body, once }) => {
  const contact = await once((alongside) => createContact(organizationId, body, alongside));

  return { contact, message: 'Contact created successfully' };
});
