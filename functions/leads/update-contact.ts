import { presentReadContact, updateContact } from '#lib/features/leads/contacts/contacts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(
  contracts.updateContact,
  async ({ organizationId, params, body }) => {
    const contact = await updateContact(organizationId, params.contact_id, body);

    return { contact: await presentReadContact(contact) };
  },
);
