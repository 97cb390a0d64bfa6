import { presentReadContact, requireContact } from '#lib/features/leads/contacts/contacts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getContact } from '#schemas/leads.ts';

export const handler = endpoint(getContact, async ({ organizationId, params }) => {
  const contact = await requireContact(organizationId, params.contact_id);

  return { contact: await presentReadContact(contact) };
});
