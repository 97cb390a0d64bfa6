import { endpoint } from '#lib/http/endpoint.ts';
import { requireContact } from '#lib/leads/contacts/contacts.ts';
import { getContact } from '#schemas/leads.ts';

export const handler = endpoint(
  getContact,
  async ({ organizationId, params }) => {
    const contact = await requireContact(organizationId, params.contact_id);

    return { contact, message: 'Contact retrieved successfully' };
  },
  { ahead: ({ organizationId, params }) => requireContact(organizationId, params.contact_id) },
);
