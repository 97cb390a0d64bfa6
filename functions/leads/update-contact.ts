import { endpoint } from '#lib/http/endpoint.ts';
import { updateContact as applyPatch, requireContact } from '#lib/leads/contacts/contacts.ts';
import { updateContact } from '#schemas/leads.ts';

export const handler = endpoint(
  updateContact,
  async ({ organizationId, params, body }) => {
    const contact = await applyPatch(organizationId, params.contact_id, body);

    return { contact, message: 'Contact updated successfully' };
  },
  { ahead: ({ organizationId, params }) => requireContact(organizationId, params.contact_id) },
);
