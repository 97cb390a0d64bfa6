import { endpoint } from '#lib/http/endpoint.ts';
import { listContacts as readContacts } from '#lib/leads/contacts/contacts.ts';
import { listContacts } from '#schemas/leads.ts';

export const handler = endpoint(listContacts, async ({ organizationId, query }) => {
  const { items, pagination } = await readContacts(organizationId, query);

  return { contacts: [...items], pagination, message: 'Contacts retrieved successfully' };
});
