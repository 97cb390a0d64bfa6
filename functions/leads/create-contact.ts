import { endpoint } from '#lib/http/endpoint.ts';
import { createContact as addContact } from '#lib/leads/contacts/contacts.ts';
import { createContact } from '#schemas/leads.ts';

export const handler = endpoint(createContact, async ({ organizationId, body, once }) => {
  const contact = await once((alongside) => addContact(organizationId, body, alongside));

  return { contact, message: 'Contact created successfully' };
});
