import { endpoint } from '#lib/http/endpoint.ts';
import { deleteContact as removeContact, requireContact } from '#lib/leads/contacts/contacts.ts';
import { deleteContact } from '#schemas/leads.ts';

export const handler = endpoint(
  deleteContact,
  async ({ organizationId, params }) => {
    await removeContact(organizationId, params.contact_id);

    return { message: 'Contact deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requireContact(organizationId, params.contact_id) },
);
