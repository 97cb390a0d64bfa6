import { endpoint } from '#lib/http/endpoint.ts';
import { listContacts } from '#lib/leads/contacts/contacts.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.listContacts, async ({ organizationId, query }) => {
  const { items, pagination } = await listContacts(organizationId, query);

  return { contacts: [...items], pagination, message: 'Contacts retrieved successfully' };
});
