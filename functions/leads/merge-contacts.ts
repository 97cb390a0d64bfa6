import { endpoint } from '#lib/http/endpoint.ts';
import { requireContact } from '#lib/leads/contacts/contacts.ts';
import { mergeContacts } from '#lib/leads/merge-contacts.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.mergeContacts,
  async ({ organizationId, params, body, once }) => {
    const { contact_id: contactId } = params;
    await once((alongside) =>
      mergeContacts(organizationId, contactId, body.duplicateId, alongside),
    );
    const contact = await requireContact(organizationId, contactId);

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
