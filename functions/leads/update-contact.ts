import { endpoint } from '#lib/http/endpoint.ts';
import { requireContact, updateContact } from '#lib/leads/contacts/contacts.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.updateContact,
  async ({ organizationId, params, body }) => {
    const contact = await updateContact(organizationId, params.contact_id, body);

    return { contact, message: 'Contact updated successfully' };
  },
  { ahead: ({ organizationId, params }) => requireContact(organizationId, params.contact_id) },
);
