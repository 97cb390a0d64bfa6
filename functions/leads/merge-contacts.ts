import { endpoint } from '#lib/http/endpoint.ts';
import { requireContact } from '#lib/leads/contacts/contacts.ts';
import { mergeContacts as mergeInto } from '#lib/leads/merge-contacts.ts';
import { mergeContacts } from '#schemas/leads.ts';

export const handler = endpoint(
  mergeContacts,
  async ({ organizationId, params, body }) => {
    const contact = await mergeInto(organizationId, params.contact_id, body.duplicateId);

    return { contact, message: 'Contacts merged successfully' };
  },
  {
    ahead: ({ organizationId, params, body }) =>
      Promise.all([
        requireContact(organizationId, params.contact_id),
        requireContact(organizationId, body.duplicateId),
      ]),
  },
);
