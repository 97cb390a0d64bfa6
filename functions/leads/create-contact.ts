import { createContact, presentReadContact } from '#lib/features/leads/contacts/contacts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.createContact, async ({ organizationId, body, once }) => {
  const contact = await once((alongside) => createContact(organizationId, body, alongside));

  return { contact: await presentReadContact(contact) };
});
