import { endpoint } from '#lib/http/endpoint.ts';
import { deleteContact, requireContact } from '#lib/leads/contacts/contacts.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.deleteContact,
  async ({ organizationId, params }) => {
    await deleteContact(organizationId, params.contact_id);

    return { message: 'Contact deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requireContact(organizationId, params.contact_id) },
);
